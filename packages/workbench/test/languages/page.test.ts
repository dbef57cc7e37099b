import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import type { PageClient } from "../page-client.js";
import { WorkbenchScene } from "../workbench-scene.js";
import { MODULES } from "./scene.js";

const A = "export function greet(name: string, loud: boolean): string {\n  return name;\n}\n";
const B = 'import { greet } from "./a.js";\n\nexport const hi = greet("Ada", true);\nhi.toUp\n';

async function opened(files: Readonly<Record<string, string>>, name: string) {
  const scene = await WorkbenchScene.open({ ...MODULES, ...files });
  const page = await scene.page();
  const uri = scene.uri(name);
  await page.call("tab.open", { uri, preview: false });
  return { scene, page, uri };
}

const at = (line: number, character: number) => ({ line, character });

async function textOf(page: PageClient, name: string): Promise<string> {
  return (await page.call("text.attach", { name })).text;
}

it("shows what is wrong with an open document, and that it is gone when it is mended", async () => {
  const { scene, page, uri } = await opened({ "src/a.ts": A, "src/b.ts": B }, "src/b.ts");
  await using _ = scene;
  const { problems } = await page.until(({ problems }) => problems[uri] !== undefined);
  expect(problems[uri]).toMatchObject({
    path: "src/b.ts",
    more: 0,
    items: [{ severity: "error", source: "ts", code: "2339", range: { start: at(3, 3) } }],
  });
  const { epoch, version, text } = await page.call("text.attach", { name: uri });
  const changes = [text.length - 1, [0, "perCase();"], 1];
  const updates = [{ clientID: "me", changes }];
  await page.call("text.push", { name: uri, epoch, version, updates });
  await page.until(({ problems }) => problems[uri] === undefined);
  expect(page.state.languageServers.typescript).toMatchObject({ status: "ready" });
});

it("completes, and tells more of one of the items", async () => {
  const { scene, page, uri } = await opened({ "src/a.ts": A, "src/b.ts": B }, "src/b.ts");
  await using _ = scene;
  const { list, items } = await page.call("language.complete", { uri, position: at(3, 7) });
  const item = items.find(({ label }) => label === "toUpperCase");
  expect(item).toMatchObject({ kind: "method", insert: "toUpperCase", snippet: false });
  const detail = await page.call("language.completion", { list, item: item?.id ?? -1 });
  expect(detail.detail).toContain("toUpperCase(): string");
  expect(detail.documentation).toContain("upper");
  await expect(page.call("language.completion", { list: 99, item: 0 })).rejects.toThrow("too old");
});

it("brings the import of what it completes", async () => {
  const { scene, page, uri } = await opened({ "src/a.ts": A, "src/c.ts": "gree" }, "src/c.ts");
  await using _ = scene;
  const { list, items } = await page.call("language.complete", { uri, position: at(0, 4) });
  const item = items.find(({ label }) => label === "greet");
  const { edits } = await page.call("language.completion", { list, item: item?.id ?? -1 });
  expect(edits.map(({ text }) => text).join("")).toContain('import { greet } from "./a.js"');
});

it("tells of the name under the pointer, and of the parameters of a call", async () => {
  const { scene, page, uri } = await opened({ "src/a.ts": A, "src/b.ts": B }, "src/b.ts");
  await using _ = scene;
  const hover = await page.call("language.hover", { uri, position: at(2, 20) });
  expect(hover?.text).toContain("greet(name: string, loud: boolean): string");
  const help = await page.call("language.signature", { uri, position: at(2, 31) });
  const [signature] = help?.signatures ?? [];
  const [, second] = signature?.parameters ?? [];
  expect(help).toMatchObject({ signature: 0, parameter: 1 });
  expect(signature?.label.slice(second?.from, second?.to)).toBe("loud: boolean");
});

it("finds where a name is made and used, in files that are not open too", async () => {
  const { scene, page, uri } = await opened({ "src/a.ts": A, "src/b.ts": B }, "src/b.ts");
  await using _ = scene;
  const position = at(2, 20);
  const what = "definition" as const;
  expect(await page.call("language.definition", { uri, position, what })).toEqual([
    {
      uri: scene.uri("src/a.ts"),
      path: "src/a.ts",
      range: { start: at(0, 16), end: at(0, 21) },
      text: A.split("\n")[0],
    },
  ]);
  const references = await page.call("language.references", { uri, position });
  expect(references.map(({ path, range }) => `${path}:${range.start.line}`).sort()).toEqual([
    "src/a.ts:0",
    "src/b.ts:0",
    "src/b.ts:2",
  ]);
});

it("renames in open documents, which stay unsaved, and in files, which undo takes back", async () => {
  const { scene, page, uri } = await opened({ "src/a.ts": A, "src/b.ts": B }, "src/b.ts");
  await using _ = scene;
  const position = at(2, 20);
  expect(await page.call("language.nameAt", { uri, position })).toEqual({
    range: { start: at(2, 18), end: at(2, 23) },
    name: "greet",
  });
  expect(await page.call("language.nameAt", { uri, position: at(1, 0) })).toBeNull();
  const changed = await page.call("language.rename", { uri, position, name: "welcome" });
  expect(changed).toMatchObject({ files: 2, edits: 3 });
  expect(await textOf(page, uri)).toBe(B.replaceAll("greet", "welcome"));
  expect(await readFile(scene.path("src/b.ts"), "utf8")).toBe(B);
  expect(await readFile(scene.path("src/a.ts"), "utf8")).toBe(A.replace("greet", "welcome"));
  await page.until(({ documents }) => documents[uri]?.dirty === true);
  await page.until(({ fileUndo }) => fileUndo === "Rename in a.ts");
  await page.call("files.undo", {});
  expect(await readFile(scene.path("src/a.ts"), "utf8")).toBe(A);
});

it("takes a rename back everywhere at once, in documents that another window has open, too", async () => {
  const C = 'import { greet } from "./a.js";\ngreet("Bob", false);\n';
  const files = { "src/a.ts": A, "src/b.ts": B, "src/c.ts": C };
  const { scene, page, uri } = await opened(files, "src/b.ts");
  await using _ = scene;
  const other = await scene.page();
  const theirs = scene.uri("src/c.ts");
  await other.call("tab.open", { uri: theirs, preview: false });
  const position = at(2, 20);
  const rename = async () =>
    (await page.call("language.rename", { uri, position, name: "welcome" })).undo ?? "";
  const undo = await rename();
  expect(await textOf(other, theirs)).toContain("welcome");
  // A later step on files is not the one that is taken back.
  await page.call("files.create", { uri: scene.uri("new.txt"), kind: "file" });
  await page.call("language.undoRename", { undo });
  expect(await textOf(page, uri)).toBe(B);
  expect(await textOf(other, theirs)).toBe(C);
  expect(await readFile(scene.path("src/a.ts"), "utf8")).toBe(A);
  expect(await readFile(scene.path("new.txt"), "utf8")).toBe("");
  await expect(page.call("language.undoRename", { undo })).rejects.toThrow("taken back");

  const again = await rename();
  const { epoch, version, text } = await other.call("text.attach", { name: theirs });
  const updates = [{ clientID: "other", changes: [[0, "// mine", ""], text.length] }];
  await other.call("text.push", { name: theirs, epoch, version, updates });
  await expect(page.call("language.undoRename", { undo: again })).rejects.toThrow(
    "c.ts has changed since: rename it back instead.",
  );
  expect(await textOf(page, uri)).toContain("welcome");
  expect(await readFile(scene.path("src/a.ts"), "utf8")).toContain("welcome");
});

it("lists the names of a document as a tree", async () => {
  const text = "export class A {\n  b = 1;\n  c() {}\n}\n";
  const { scene, page, uri } = await opened({ "src/a.ts": text }, "src/a.ts");
  await using _ = scene;
  const [symbol] = await page.call("language.symbols", { uri });
  expect(symbol).toMatchObject({ name: "A", kind: "class", selection: { start: at(0, 13) } });
  expect(symbol?.children.map(({ name, kind }) => [name, kind])).toEqual([
    ["b", "property"],
    ["c", "method"],
  ]);
});

it("offers a fix for a problem, and carries it out", async () => {
  const { scene, page, uri } = await opened({ "src/a.ts": A, "src/c.ts": "greet;\n" }, "src/c.ts");
  await using _ = scene;
  await page.until(({ problems }) => problems[uri] !== undefined);
  const range = { start: at(0, 0), end: at(0, 5) };
  const actions = await page.call("language.actions", { uri, range });
  const fix = actions.find(({ title }) => title.includes("./a.js"));
  expect(fix?.kind).toBe("quickfix");
  expect(await page.call("language.act", { id: fix?.id ?? "" })).toEqual({ files: 1, edits: 1 });
  expect(await textOf(page, uri)).toContain('import { greet } from "./a.js";');
  await page.until(({ documents }) => documents[uri]?.dirty === true);
  await page.until(({ problems }) => problems[uri] === undefined);
});

it("answers nothing for a language that no server knows", async () => {
  const { scene, page, uri } = await opened({ "notes.txt": "hello" }, "notes.txt");
  await using _ = scene;
  const position = at(0, 1);
  expect(await page.call("language.hover", { uri, position })).toBeNull();
  expect(await page.call("language.complete", { uri, position })).toMatchObject({ items: [] });
  expect(await page.call("language.references", { uri, position })).toEqual([]);
  await expect(page.call("language.rename", { uri, position, name: "x" })).rejects.toThrow(
    "No language server can rename this.",
  );
});

it("hears of files that change on the disk, though nobody has them open", async () => {
  const { scene, page, uri } = await opened({ "src/a.ts": A, "src/b.ts": B }, "src/b.ts");
  await using _ = scene;
  await page.until(({ problems }) => problems[uri]?.items.length === 1);
  await scene.write("src/a.ts", A.replace("loud: boolean", "loud: number"));
  await page.until(({ problems }) => problems[uri]?.items.length === 2);
  await scene.write("src/a.ts", A);
  await page.until(({ problems }) => problems[uri]?.items.length === 1);
});

it("a server that is switched off in the settings ends, and comes back when it is switched on", async () => {
  const { scene, page, uri } = await opened({ "src/a.ts": A, "src/b.ts": B }, "src/b.ts");
  await using _ = scene;
  await page.until(({ problems }) => problems[uri] !== undefined);
  const scope = "user" as const;
  const name = "languageServers" as const;
  await page.call("settings.set", { scope, name, value: { typescript: { enabled: false } } });
  await page.until(
    ({ languageServers, problems }) => !languageServers.typescript && problems[uri] === undefined,
  );
  expect(await page.call("language.hover", { uri, position: at(2, 20) })).toBeNull();
  await page.call("settings.set", { scope, name, value: null });
  await page.until(({ problems }) => problems[uri] !== undefined);
  await expect(
    page.call("settings.set", { scope, name, value: { x: { command: "sh -c evil" } } }),
  ).rejects.toThrow("“languageServers” must be an object with an entry for each server");
});
