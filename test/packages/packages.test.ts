import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../", import.meta.url));
const bin = (name: string) => join(root, "node_modules/.bin", name);

/** What we publish, and something that each exports. */
const LIBRARIES = {
  "@lockstep/protocol": "Peer",
  "@lockstep/editor": "InMemoryEditor",
  "@lockstep/review": "openReview",
  "@lockstep/server": "serve",
  "@lockstep/client": "findIdes",
  "@lockstep/conformance": "verifyIde",
};

let project: string;

/** An empty project with our packages in it, as npm would give them to anybody. */
beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), "lockstep-packages-"));
  const folders = await readdir(join(root, "packages"));
  const paths = folders.map((name) => `./packages/${name}`);
  await run("npm", ["pack", "--pack-destination", project, ...paths], { cwd: root });
  await writeFile(join(project, "package.json"), '{ "private": true, "type": "module" }');
  const tarballs = (await readdir(project)).filter((name) => name.endsWith(".tgz"));
  expect(tarballs).toHaveLength(folders.length);
  const install = ["install", "--no-audit", "--no-fund", "--prefer-offline"];
  await run("npm", [...install, ...tarballs.map((name) => `./${name}`)], { cwd: project });
});

afterAll(() => rm(project, { recursive: true, force: true }));

describe("installed into an empty project", () => {
  for (const [name, exported] of Object.entries(LIBRARIES)) {
    it(`${name} can be imported`, async () => {
      const code = `import { ${exported} } from "${name}"; console.log(typeof ${exported})`;
      const { stdout } = await run("node", ["--input-type=module", "-e", code], { cwd: project });
      expect(stdout.trim()).toBe("function");
    });

    it(`${name} brings a licence, its types and a description of itself, and no tests`, async () => {
      const folder = join(project, "node_modules", name);
      const files = await readdir(folder, { recursive: true });
      for (const needed of ["LICENSE", "README.md", "dist/index.d.ts"])
        expect(files).toContain(needed);
      expect(files.filter((file) => /\.test\.|^src|^test/.test(file))).toEqual([]);
      const { description, license } = JSON.parse(
        await readFile(join(folder, "package.json"), "utf8"),
      );
      expect([description, license]).toEqual([expect.any(String), "MIT"]);
    });
  }

  it("the command runs, and serves", async () => {
    const { stdout } = await run(join(project, "node_modules/.bin/lockstep"), ["--version"]);
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it("the packages bring little besides themselves", async () => {
    const installed = await readdir(join(project, "node_modules"));
    const foreign = installed.filter(
      (name) => !name.startsWith(".") && !name.startsWith("@lockstep"),
    );
    expect(foreign.sort()).toEqual(["fast-myers-diff", "ignore", "lockstep", "ws", "zod"]);
  });
});

describe("to other tools", () => {
  for (const name of Object.keys(LIBRARIES)) {
    const folder = join(root, "packages", name.slice("@lockstep/".length));

    it(`publint has nothing to say about ${name}`, async () => {
      const { stdout } = await run(bin("publint"), ["--strict", folder]);
      expect(stdout).toContain("All good!");
    });

    it(`the types of ${name} are found by every resolver of ES modules`, async () => {
      await run(bin("attw"), ["--pack", folder, "--profile", "esm-only"]);
    });
  }
});

it("a plugin that embeds the server, bundled and minified, stays under 200 KB", async () => {
  const { outputFiles } = await build({
    stdin: {
      contents: 'import { serve } from "@lockstep/server"; export const activate = serve;',
      resolveDir: project,
    },
    bundle: true,
    minify: true,
    platform: "node",
    format: "cjs",
    write: false,
  });
  expect(outputFiles[0]?.contents.length).toBeLessThan(200_000);
});
