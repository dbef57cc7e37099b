import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../", import.meta.url));
const bin = (name: string) => join(root, "node_modules/.bin", name);

/** What editors and agents embed, and something that each exports. */
const LIBRARIES = {
  "@lockstep/protocol": "Peer",
  "@lockstep/editor": "InMemoryEditor",
  "@lockstep/review": "openReview",
  "@lockstep/server": "serve",
  "@lockstep/client": "findIdes",
  "@lockstep/conformance": "verifyIde",
};

let packed: string;
/** With the libraries in it. */
let project: string;
/** With the command in it, and so everything. */
let whole: string;

/** Empty projects with our packages in them, as npm would give them to anybody. */
beforeAll(async () => {
  packed = await mkdtemp(join(tmpdir(), "lockstep-packed-"));
  const folders = await readdir(join(root, "packages"));
  const paths = folders.map((name) => `./packages/${name}`);
  await run("npm", ["pack", "--pack-destination", packed, ...paths], { cwd: root });
  const tarballs = await readdir(packed);
  expect(tarballs).toHaveLength(folders.length);
  const libraries = Object.keys(LIBRARIES).map((name) => `${name.slice(1).replace("/", "-")}-`);
  const isLibrary = (file: string) => libraries.some((name) => file.startsWith(name));
  project = await projectWith(tarballs.filter(isLibrary));
  whole = await projectWith(tarballs);
});

async function projectWith(tarballs: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "lockstep-packages-"));
  await writeFile(join(folder, "package.json"), '{ "private": true, "type": "module" }');
  const install = ["install", "--no-audit", "--no-fund", "--prefer-offline"];
  await run("npm", [...install, ...tarballs.map((name) => join(packed, name))], { cwd: folder });
  return folder;
}

afterAll(async () => {
  for (const folder of [packed, project, whole]) await rm(folder, { recursive: true, force: true });
});

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

  it("the command runs, opens the editor and gives out its page", async () => {
    const command = join(whole, "node_modules/.bin/lockstep");
    const { stdout } = await run(command, ["--version"]);
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    const state = await mkdtemp(join(tmpdir(), "lockstep-packages-state-"));
    const env = { PATH: process.env.PATH, HOME: state, XDG_STATE_HOME: state };
    const editor = spawn(command, [project, "--no-open", "--json"], { env });
    try {
      const [line] = await once(createInterface({ input: editor.stdout }), "line");
      const { url } = JSON.parse(line);
      const launched = await fetch(url, { redirect: "manual" });
      const cookie = launched.headers.get("set-cookie")?.split(";")[0] ?? "";
      const page = await fetch(new URL("/", url), { headers: { cookie } });
      expect(await page.text()).toContain('<div id="app">');
    } finally {
      editor.kill();
      await once(editor, "exit");
      await rm(state, { recursive: true, force: true });
    }
  });

  it("the editor brings what it runs with, and nothing that its page was built of", async () => {
    const foreign = await foreignIn(whole);
    for (const built of ["solid-js", "vite", "@codemirror/view", "@xterm/xterm"])
      expect(foreign).not.toContain(built);
  });

  it("the libraries bring little besides themselves", async () => {
    expect(await foreignIn(project)).toEqual(["ignore", "ws", "zod"]);
  });
});

/** The packages of others in a project. */
async function foreignIn(folder: string): Promise<readonly string[]> {
  const { stdout } = await run("npm", ["ls", "--all", "--parseable"], { cwd: folder });
  const names = stdout.split("\n").map((path) => path.split("node_modules/").at(-1) ?? "");
  const foreign = names.filter((name) => name !== "" && !/^(\/|@lockstep|lockstep$)/.test(name));
  return [...new Set(foreign)].sort();
}

describe("to other tools", () => {
  for (const name of [...Object.keys(LIBRARIES), "@lockstep/workbench"]) {
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
