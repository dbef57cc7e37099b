import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import type { PageClient } from "../page-client.js";
import { WorkbenchScene } from "../workbench-scene.js";
import { Asking, call, MODULES } from "./scene.js";

const fake = fileURLToPath(new URL("fake-server.mjs", import.meta.url));

/** A program that says by a file beside the project that it was run. */
const TELLTALE = `#!${process.execPath}
require("node:fs").appendFileSync(process.cwd() + "/../ran", process.argv.join(" ") + "\\n");
`;

/** All that a stranger could leave in a folder in the hope that it is run. */
async function hostile() {
  const own = { command: ["./evil"], languages: ["lua"] };
  const changed = { settings: { python: { pythonPath: "./evil" } }, command: ["./evil"] };
  const scene = await WorkbenchScene.open({
    ...MODULES,
    "lockstep.json": JSON.stringify({
      languageServers: { own, pyright: changed, typescript: { command: ["./evil"] } },
    }),
    "src/a.ts": "export   const a: string = 1;\n",
    "a.lua": "x\n",
    "a.py": "x: int = ''\n",
    "a.sh": "echo $x\n",
    "a.rs": "fn main() {}\n",
    "Cargo.toml": "[package]\n",
    ".prettierrc": "{}",
    "biome.json": "{}",
    "prettier.config.js": "require('node:fs').writeFileSync('../ran', 'config')",
  });
  const bins = ["prettier", "biome", "pyright-langserver", "bash-language-server", "rust-analyzer"];
  for (const name of ["evil", ...bins.map((bin) => `node_modules/.bin/${bin}`), "bin/clangd"]) {
    const path = scene.path(name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, TELLTALE);
    await chmod(path, 0o755);
  }
  return scene;
}

const ran = (scene: WorkbenchScene): Promise<string> =>
  readFile(join(scene.root, "ran"), "utf8").catch(() => "");

async function answer(page: PageClient, yes: boolean) {
  const { questions } = await page.until((state) => Object.keys(state.questions).length > 0);
  const [question] = Object.values(questions);
  await page.call("question.answer", { id: question?.id ?? "", yes });
  await page.until((state) => Object.keys(state.questions).length === 0);
  return question;
}

it("a hostile folder that is opened, looked through and worked on runs nothing of its own", async () => {
  await using scene = await hostile();
  const page = await scene.page();
  const agent = new Asking(scene);
  agent.turn();
  for (const name of ["src/a.ts", "a.lua", "a.py", "a.sh", "a.rs", "lockstep.json"]) {
    await page.call("tab.open", { uri: scene.uri(name), preview: false });
    await agent.baseline(name);
  }
  await page.until(({ problems }) => problems[scene.uri("src/a.ts")] !== undefined);
  await agent.all();
  await scene.workbench.abilities.format?.({ uri: scene.uri("src/a.ts") }, call);
  expect(await readFile(scene.path("src/a.ts"), "utf8")).toBe("export const a: string = 1;\n");
  await page.until(({ languageServers }) => languageServers["rust-analyzer"] !== undefined);
  const { languageServers } = page.state;
  expect(languageServers.typescript).toMatchObject({
    status: "ready",
    detail:
      "This project's lockstep.json wants it to be run in another way: restart it to be asked.",
  });
  expect(languageServers.own).toMatchObject({
    status: "failed",
    detail: "It is this project's own: restart it to be asked.",
  });
  expect(languageServers.bash?.detail).toBe("Only this project has it: restart it to be asked.");
  expect(languageServers["rust-analyzer"]?.status).toBe("failed");
  expect(await ran(scene)).toBe("");
});

it("nothing of the project is found by way of the PATH either", async () => {
  await using scene = await WorkbenchScene.open({ "a.c": "int x;\n" });
  await mkdir(scene.path("bin"));
  await writeFile(scene.path("bin/clangd"), TELLTALE);
  await chmod(scene.path("bin/clangd"), 0o755);
  await scene.restart({ PATH: `.:bin:${scene.path("bin")}` });
  const page = await scene.page();
  await page.call("tab.open", { uri: scene.uri("a.c"), preview: false });
  await page.until(({ languageServers }) => languageServers.clangd?.status === "missing");
  expect(await ran(scene)).toBe("");
});

it("the project's own server runs after a yes for exactly that command, and ends when it is taken back", async () => {
  await using scene = await WorkbenchScene.open({
    "lockstep.json": JSON.stringify({
      languageServers: {
        own: {
          command: [process.execPath, fake, "fine", "a b"],
          languages: ["lua"],
          settings: { interpreter: "./evil" },
        },
      },
    }),
    "a.lua": "x\n",
  });
  const page = await scene.page();
  await page.call("tab.open", { uri: scene.uri("a.lua"), preview: false });
  await page.until(({ languageServers }) => languageServers.own?.status === "failed");

  const refused = page.call("language.restart", { id: "own" });
  const question = await answer(page, false);
  expect(question?.title).toBe("May this project run its own language server?");
  expect(question?.detail).toContain(`${process.execPath} ${fake} fine "a b"\n`);
  expect(question?.detail).toContain(`"settings":{"interpreter":"./evil"}`);
  await refused;
  await page.until(({ languageServers }) => languageServers.own?.status === "failed");

  const allowed = page.call("language.restart", { id: "own" });
  await answer(page, true);
  await allowed;
  await page.until(({ languageServers }) => languageServers.own?.status === "ready");

  const [permission] = Object.values(page.state.permissions);
  expect(permission?.title).toBe("This project may run its own language server");
  await page.call("permission.revoke", { id: permission?.id ?? "" });
  await page.until(({ languageServers }) => languageServers.own?.status === "failed");

  const third = page.call("language.restart", { id: "own" });
  await answer(page, true);
  await third;
  const other = { own: { command: [process.execPath, fake, "other"], languages: ["lua"] } };
  await scene.write("lockstep.json", JSON.stringify({ languageServers: other }));
  await page.until(({ languageServers }) => languageServers.own?.status === "failed");
});
