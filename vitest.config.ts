import { defineConfig } from "vitest/config";

// Workspace packages resolve to their TypeScript sources, so a test never sees a stale build.
const source = { conditions: ["@lockstep/source", "module", "node", "import", "default"] };

export default defineConfig({
  ssr: { resolve: source },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["test/*.test.ts", "packages/*/{src,test}/**/*.test.ts"],
          testTimeout: 30_000,
        },
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
          name: "e2e",
          include: ["e2e/**/*.test.ts"],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
