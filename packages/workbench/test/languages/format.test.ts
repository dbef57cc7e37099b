import { chmod, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import type { PageClient } from "../page-client.js";
import { WorkbenchScene } from "../workbench-scene.js";
import { call, MODULES } from "./scene.js";

const repositoryModules = fileURLToPath(new URL("../../../../node_modules", import.meta.url));
const UGLY = "export   const a = [ 1,2 ]\n";

/** A Prettier of the project's own: says that it was run, and makes all letters large. */
const LOUD = `#!/usr/bin/env node
require("node:fs").writeFileSync(__dirname + "/../../ran", "");
let text = "";
process.stdin.on("data", (chunk) => (text += chunk));
process.stdin.on("end", () => process.stdout.write(text.toUpperCase()));
`;

async function withOwnPrettier(files: Readonly<Record<string, string>>) {
  const scene = await WorkbenchScene.open({
    ...MODULES,
    ".prettierrc": '{ "semi": false }',
    ...files,
  });
  const program = scene.path("node_modules/.bin/prettier");
  await mkdir(dirname(program), { recursive: true });
  await writeFile(program, LOUD);
  await chmod(program, 0o755);
  const ran = () =>
    readFile(scene.path("ran")).then(
      () => true,
      () => false,
    );
  return { scene, ran };
}

async function answer(page: PageClient, yes: boolean): Promise<void> {
  const { questions } = await page.until((state) => Object.keys(state.questions).length > 0);
  const [question] = Object.values(questions);
  expect(question?.title).toBe("May this project's Prettier format files?");
  await page.call("question.answer", { id: question?.id ?? "", yes });
}

/** A process that has ended may still wait for somebody to notice. */
const isAlive = (pid: number): Promise<boolean> =>
  readFile(`/proc/${pid}/stat`, "utf8").then(
    (stat) => !/\) Z /.test(stat),
    () => false,
  );

const textOf = async (page: PageClient, name: string) =>
  (await page.call("text.attach", { name })).text;

it("formats an open document by its language server, as an edit that is unsaved", async () => {
  await using scene = await WorkbenchScene.open({ ...MODULES, "src/a.ts": UGLY });
  const page = await scene.page();
  const uri = scene.uri("src/a.ts");
  await page.call("tab.open", { uri, preview: false });
  await page.call("language.format", { uri });
  expect(await textOf(page, uri)).toBe("export const a = [1, 2]\n");
  await page.until(({ documents }) => documents[uri]?.dirty === true);
  expect(await readFile(scene.path("src/a.ts"), "utf8")).toBe(UGLY);
});

it("formats what no server knows by Prettier, by the project's plain settings", async () => {
  await using scene = await WorkbenchScene.open({
    ".prettierrc": '{ "proseWrap": "always", "printWidth": 10, "plugins": ["./evil.cjs"] }',
    "evil.cjs": 'require("node:fs").writeFileSync(__dirname + "/ran", "");',
    "a.md": "* one\n* two three four five\n",
    "b.xyz": "?",
  });
  const page = await scene.page();
  const uri = scene.uri("a.md");
  await page.call("tab.open", { uri, preview: false });
  await page.call("language.format", { uri });
  expect(await textOf(page, uri)).toBe("- one\n- two\n  three\n  four\n  five\n");
  await expect(readFile(scene.path("ran"))).rejects.toThrow("ENOENT");
  const other = scene.uri("b.xyz");
  await page.call("tab.open", { uri: other, preview: false });
  await expect(page.call("language.format", { uri: other })).rejects.toThrow(
    "Nobody here knows how to format b.xyz.",
  );
});

it("formats for an agent: a file is written, an open document only if it was clean", async () => {
  await using scene = await WorkbenchScene.open({
    ...MODULES,
    "src/a.ts": UGLY.replace("\n", "\r\n"),
    "src/b.ts": UGLY,
    "src/c.ts": UGLY,
  });
  const page = await scene.page();
  const format = scene.workbench.abilities.format;
  await format?.({ uri: scene.uri("src/a.ts") }, call);
  expect(await readFile(scene.path("src/a.ts"), "utf8")).toBe("export const a = [1, 2]\r\n");
  await page.until(({ fileUndo }) => fileUndo === "Format a.ts");

  const [b, c] = [scene.uri("src/b.ts"), scene.uri("src/c.ts")];
  await page.call("tab.open", { uri: b, preview: false });
  await format?.({ uri: b }, call);
  expect(await readFile(scene.path("src/b.ts"), "utf8")).toBe("export const a = [1, 2]\n");
  await page.until(({ documents }) => documents[b]?.dirty === false);

  await page.call("tab.open", { uri: c, preview: false });
  const { epoch, version } = await page.call("text.attach", { name: c });
  const updates = [{ clientID: "me", changes: [UGLY.length, [0, "let   b;", ""]] }];
  await page.call("text.push", { name: c, epoch, version, updates });
  await format?.({ uri: c }, call);
  expect(await textOf(page, c)).toBe("export const a = [1, 2]\nlet b;\n");
  expect(await readFile(scene.path("src/c.ts"), "utf8")).toBe(UGLY);
});

it("formats nothing outside of the workspace", async () => {
  await using scene = await WorkbenchScene.open(MODULES);
  await writeFile(`${scene.root}/out.ts`, UGLY);
  const uri = scene.uri("../out.ts");
  await expect(scene.workbench.abilities.format?.({ uri }, call)).rejects.toThrow();
  expect(await readFile(`${scene.root}/out.ts`, "utf8")).toBe(UGLY);
});

it("runs the project's own formatter only when the person has said yes", async () => {
  const { scene, ran } = await withOwnPrettier({ "src/a.ts": UGLY });
  await using _ = scene;
  const page = await scene.page();
  const uri = scene.uri("src/a.ts");
  await page.call("tab.open", { uri, preview: false });

  const refused = page.call("language.format", { uri });
  await answer(page, false);
  await refused;
  expect(await ran()).toBe(false);
  expect(await textOf(page, uri)).toBe("export const a = [1, 2]\n");
  const { notices } = await page.until((state) => "languages.formatted" in state.notices);
  expect(notices["languages.formatted"]?.text).toBe(
    "a.ts was formatted by TypeScript, because this project's Prettier is not allowed to run here.",
  );

  const allowed = page.call("language.format", { uri });
  await answer(page, true);
  await allowed;
  expect(await ran()).toBe(true);
  expect(await textOf(page, uri)).toBe("EXPORT CONST A = [1, 2]\n");
  await page.until((state) => !("languages.formatted" in state.notices));
  expect(Object.values(page.state.permissions).map(({ title }) => title)).toEqual([
    "This project's Prettier may format files",
  ]);
});

for (const [tool, files, formatted] of [
  ["Biome", { "biome.json": "{}" }, 'export const a = [1, "2"];\n'],
  ["Prettier", { ".prettierrc.yaml": "singleQuote: true" }, "export const a = [1, '2'];\n"],
] as const) {
  it(`formats by the real ${tool} that a project has, with the project's settings`, async () => {
    const text = "export   const a = [ 1,'2' ]\n";
    await using scene = await WorkbenchScene.open({ ...MODULES, ...files, "src/a.ts": text });
    await symlink(repositoryModules, scene.path("node_modules"));
    const page = await scene.page();
    const uri = scene.uri("src/a.ts");
    await page.call("tab.open", { uri, preview: false });
    const done = page.call("language.format", { uri });
    const { questions } = await page.until((state) => Object.keys(state.questions).length > 0);
    const [question] = Object.values(questions);
    expect(question?.title).toBe(`May this project's ${tool} format files?`);
    await page.call("question.answer", { id: question?.id ?? "", yes: true });
    await done;
    expect(await textOf(page, uri)).toBe(formatted);
  });
}

it("ends a formatter that hangs, with all that it has started", async () => {
  const { scene } = await withOwnPrettier({ "src/a.ts": UGLY });
  await using _ = scene;
  const pid = `${scene.root}/pid`;
  const script = `#!/bin/sh\n/bin/sleep 600 &\necho $! > ${pid}\nwait\n`;
  await writeFile(scene.path("node_modules/.bin/prettier"), script);
  const page = await scene.page();
  const uri = scene.uri("src/a.ts");
  await page.call("tab.open", { uri, preview: false });
  const done = page.call("language.format", { uri });
  await answer(page, true);
  await expect(done).rejects.toThrow("This project's Prettier took too long, so it was ended.");
  const child = Number(await readFile(pid, "utf8"));
  await expect.poll(() => isAlive(child)).toBe(false);
  expect(await textOf(page, uri)).toBe(UGLY);
});

it("takes nothing for an answer from nobody: a formatter that writes nothing leaves the text alone", async () => {
  const { scene } = await withOwnPrettier({ "src/a.ts": UGLY });
  await using _ = scene;
  await writeFile(scene.path("node_modules/.bin/prettier"), "#!/bin/sh\nexit 0\n");
  const page = await scene.page();
  const done = scene.workbench.abilities.format?.({ uri: scene.uri("src/a.ts") }, call);
  await answer(page, true);
  await expect(done).rejects.toThrow("This project's Prettier wrote nothing");
  expect(await readFile(scene.path("src/a.ts"), "utf8")).toBe(UGLY);
});

it("formats for an agent without the project's formatter when nobody answers", async () => {
  const { scene, ran } = await withOwnPrettier({ "src/a.ts": UGLY });
  await using _ = scene;
  await scene.workbench.abilities.format?.({ uri: scene.uri("src/a.ts") }, call);
  expect(await ran()).toBe(false);
  expect(await readFile(scene.path("src/a.ts"), "utf8")).toBe("export const a = [1, 2]\n");
});

it("asks for an agent once, whatever the agent wants again", async () => {
  const { scene, ran } = await withOwnPrettier({ "src/a.ts": UGLY, "src/b.ts": UGLY });
  await using _ = scene;
  const page = await scene.page();
  const { format } = scene.workbench.abilities;
  const first = format?.({ uri: scene.uri("src/a.ts") }, call);
  await answer(page, false);
  await first;
  let asked = 0;
  scene.workbench.store.subscribe((patch) => {
    if (patch.kind === "entry" && patch.collection === "questions") asked++;
  });
  await format?.({ uri: scene.uri("src/b.ts") }, call);
  expect(asked).toBe(0);
  expect(await readFile(scene.path("src/b.ts"), "utf8")).toBe("export const a = [1, 2]\n");
  expect(await ran()).toBe(false);
});
