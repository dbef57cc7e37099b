import { chmod, lstat, readFile, stat, symlink } from "node:fs/promises";
import { join } from "node:path";
import type { Uri } from "@lockstep/protocol";
import { describe, expect, it } from "vitest";
import type { SearchQuery } from "../../src/contract/index.js";
import { Scene } from "./scene.js";

async function replace(
  at: Scene,
  text: string,
  replacement: string,
  names: readonly (string | Uri)[],
  more: Partial<SearchQuery> = {},
) {
  const base = { regex: false, caseSensitive: false, wholeWord: false, include: "", exclude: "" };
  const uris = names.map((name) => (name.includes(":") ? (name as Uri) : at.uri(name)));
  const query = { text, ...base, ...more };
  return at.files.handlers["search.replace"]({ query, replacement, uris }, at.window);
}
const read = (at: Scene, name: string) => readFile(join(at.folder, name));
const text = async (at: Scene, name: string) => (await read(at, name)).toString();
const undo = (at: Scene) => at.files.handlers["files.undo"]({}, at.window);

describe("replacing in files", () => {
  it("rewrites the given files only, and undo brings the old texts back", async () => {
    const at = await Scene.open({ files: { a: "x y x", b: "x", c: "x" } });
    await at.start();
    expect(await replace(at, "x", "zz", ["a", "b"])).toEqual({ files: 2, matches: 3 });
    expect([await text(at, "a"), await text(at, "b"), await text(at, "c")]).toEqual([
      "zz y zz",
      "zz",
      "x",
    ]);
    await at.write("b", "changed since");
    expect(at.store.state.fileUndo).toBe("Replace in 2 files");
    await undo(at);
    expect([await text(at, "a"), await text(at, "b")]).toEqual(["x y x", "changed since"]);
    expect(Object.values(at.store.state.notices)[0]!.text).toContain("stay as they are: b");
  });

  it("keeps encoding, line ends and mode", async () => {
    const utf16 = (content: string) =>
      Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(content, "utf16le")]);
    const at = await Scene.open({
      files: {
        crlf: "äx\r\nx\r\n",
        mixed: "x\r\nx\nx\r\ny\r\n",
        bom: "\ufeffx😀x",
        wide: utf16("ä x\r\n"),
        script: "x",
      },
    });
    await chmod(join(at.folder, "script"), 0o755);
    await at.start();
    const names = ["crlf", "mixed", "bom", "wide", "script"];
    expect(await replace(at, "x", "Ö", names)).toEqual({ files: 5, matches: 9 });
    expect(await text(at, "crlf")).toBe("äÖ\r\nÖ\r\n");
    expect(await text(at, "mixed")).toBe("Ö\r\nÖ\nÖ\r\ny\r\n");
    expect(await text(at, "bom")).toBe("\ufeffÖ😀Ö");
    expect(await read(at, "wide")).toEqual(utf16("ä Ö\r\n"));
    expect((await stat(join(at.folder, "script"))).mode & 0o777).toBe(0o755);
  });

  it("understands groups, names, the whole match, and line ends", async () => {
    const at = await Scene.open({ files: { a: "key=value\r\n", b: "a$b" } });
    await at.start();
    const regex = { regex: true };
    await replace(at, "(\\w+)=(?P<v>\\w+)", "$2x:$1\\n\\t$<v>$&$$", ["a"], regex);
    expect(await text(at, "a")).toBe("valuex:key\r\n\tvaluekey=value$\r\n");
    await replace(at, "$b", "$1\\n", ["b"]);
    expect(await text(at, "b")).toBe("a$1\\n");
  });

  it("joins and splits lines", async () => {
    const at = await Scene.open({ files: { a: "one\r\ntwo\r\n" } });
    await at.start();
    await replace(at, "one\ntwo", "both", ["a"]);
    expect(await text(at, "a")).toBe("both\r\n");
  });

  it("replaces what is in the file now, not what was there", async () => {
    const at = await Scene.open({ files: { a: "x" } });
    await at.start();
    await at.write("a", "y x x");
    expect(await replace(at, "x", "z", ["a"])).toEqual({ files: 1, matches: 2 });
    expect(await text(at, "a")).toBe("y z z");
    expect(await replace(at, "x", "z", ["a", "gone"]).catch(String)).toBeDefined();
  });

  it("leaves binary files, broken text and files outside alone, and says so", async () => {
    const broken = Buffer.from([0x78, 0xff, 0xfe, 0x78]);
    const at = await Scene.open({ files: { good: "x", binary: "x\0x", broken } });
    await at.write("../outside", "x");
    await symlink("../outside", join(at.folder, "link"));
    await at.start();
    await expect(replace(at, "x", "y", ["link"])).rejects.toThrow("outside of the workspace");
    await expect(replace(at, "x", "y", ["binary"])).rejects.toThrow("binary");
    const done = await replace(at, "x", "y", ["good", "binary", "broken", "link", "../outside"]);
    expect(done).toEqual({ files: 1, matches: 1 });
    expect(Object.values(at.store.state.notices)[0]!.text).toContain(
      "3 more were left as they are",
    );
    expect(await text(at, "binary")).toBe("x\0x");
    expect(await read(at, "broken")).toEqual(broken);
    expect(await text(at, "../outside")).toBe("x");
    expect((await lstat(join(at.folder, "link"))).isSymbolicLink()).toBe(true);
  });

  it("changes nothing by a pattern that is not valid", async () => {
    const at = await Scene.open({ files: { a: "x" } });
    await at.start();
    await expect(replace(at, "(", "y", ["a"], { regex: true })).rejects.toThrow("not valid");
    expect(await text(at, "a")).toBe("x");
    expect(at.store.state.fileUndo).toBeNull();
  });
});

describe("replacing in open documents", () => {
  it("edits their live text and leaves the file alone", async () => {
    const at = await Scene.open({ files: { a: "x" } });
    await at.start();
    const shared = at.edit(at.uri("a"), "😀x\nx");
    const untitled = at.edit("untitled:Untitled-1" as Uri, "x");
    const done = await replace(at, "x", "long\ntext", ["a", "untitled:Untitled-1"]);
    expect(done).toEqual({ files: 2, matches: 3 });
    expect(shared.toString()).toBe("😀long\ntext\nlong\ntext");
    expect(untitled.toString()).toBe("long\ntext");
    expect(await text(at, "a")).toBe("x");
    expect(at.store.state.fileUndo).toBeNull();
  });

  it("leaves read-only ones alone", async () => {
    const at = await Scene.open({ files: { a: "x" } });
    await at.start();
    const shared = at.edit(at.uri("a"), "x");
    const info = at.store.state.documents[at.uri("a")]!;
    at.store.put("documents", at.uri("a"), { ...info, readOnly: "It is closed." });
    await expect(replace(at, "x", "y", ["a"])).rejects.toThrow("It is closed.");
    expect(shared.toString()).toBe("x");
  });
});
