import { defineConfig } from "vitest/config";

// Workspace packages resolve to their TypeScript sources, so a test never sees a stale build.
const source = { conditions: ["@lockstep/source", "module", "node", "import", "default"] };

// Attacks, loads, kernels and whole conformance runs: they wait for time-outs or for other programs to
// start, so a quick run leaves them out.
const THOROUGH = [
  "packages/server/test/attacks/*.test.ts",
  "packages/conformance/test/*.test.ts",
  "packages/workbench/test/kernels/*.test.ts",
  "packages/cli/test/relay/*.test.ts",
  "packages/cli/test/verify.test.ts",
  "packages/workbench/test/languages/{hostile,servers}.test.ts",
];

export default defineConfig({
  ssr: { resolve: source },
  test: {
    // Programs, browsers and agents on a busy machine: a condition is waited for as long as a person would.
    expect: { poll: { timeout: 20_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["test/*.test.ts", "packages/*/{src,test}/**/*.test.ts"],
          exclude: THOROUGH,
          testTimeout: 30_000,
        },
      },
      {
        extends: true,
        test: { name: "thorough", include: THOROUGH, testTimeout: 60_000 },
      },
      {
        extends: true,
        test: {
          name: "packages",
          include: ["test/packages/*.test.ts"],
          testTimeout: 120_000,
          hookTimeout: 300_000,
        },
      },
      {
        extends: true,
        test: {
          name: "page",
          include: ["e2e/page/*.test.ts"],
          testTimeout: 120_000,
          hookTimeout: 60_000,
          // Each file has a browser of its own, and two of those are what two cores can take.
          maxWorkers: 2,
        },
      },
      {
        extends: true,
        test: {
          name: "e2e",
          include: ["e2e/test/*.test.ts"],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
