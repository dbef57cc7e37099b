import { describe, expect, it } from "vitest";
import { layOut, NotANotebook } from "../../src/notebooks/layout.js";
import { code, jupyter, markdown, PIXEL, SAMPLES } from "./samples.js";
import { openNotebook, sources, type } from "./scene.js";

const usual = SAMPLES.usual ?? "";
const parsed = (text: string) => JSON.parse(text);

describe("a file that is not a notebook", () => {
  it.each([
    ["not JSON", '{"cells": [', /line 1 is not valid JSON/],
    ["cut in line 3", '{\n"cells":\n[}', /line 3 is not valid JSON/],
    ["with a comment", '{"nbformat": 4, "cells": [] /* no */}', /line 1 is not valid JSON/],
    ["a list", "[]", /not a JSON object/],
    ["of version 3", '{"nbformat": 3, "worksheets": []}', /old format 3.*nbconvert/],
    ["of version 5", '{"nbformat": 5, "cells": []}', /newer/],
    ["of no version", '{"cells": []}', /does not say its format/],
    ["without cells", '{"nbformat": 4}', /no list of cells/],
    ["with a cell that is text", '{"nbformat": 4, "cells": ["x"]}', /\(1\) that is not an object/],
    ["with an odd cell", '{"nbformat": 4, "cells": [{"cell_type": "x"}]}', /unknown kind/],
    [
      "with numbers for a source",
      '{"nbformat": 4, "cells": [{"cell_type": "raw", "source": [1]}]}',
      /not text/,
    ],
    [
      "with no list of outputs",
      '{"nbformat": 4, "cells": [{"cell_type": "code", "outputs": {}}]}',
      /not a list/,
    ],
    ["nested too deeply", `{"nbformat":4,"cells":[],"x":${"[".repeat(200_000)}`, /text, because/],
    ["empty", " \n", /empty/],
  ])("%s says why in a sentence", (_, text, why) => {
    expect(() => layOut(text)).toThrow(NotANotebook);
    expect(() => layOut(text)).toThrow(why);
  });

  it("says so, refuses every edit and stays as it is", async () => {
    await using scene = await openNotebook('{"nbformat": 3}');
    expect(scene.notebook.problem).toMatch(/old format/);
    expect(() => scene.notebook.insert(0, "code", "")).toThrow(/old format/);
    expect(scene.text).toBe('{"nbformat": 3}');
  });

  it("that is empty can be made one", async () => {
    await using scene = await openNotebook("");
    expect(scene.notebook.isEmpty).toBe(true);
    scene.notebook.create();
    expect(scene.notebook.problem).toBeNull();
    expect(sources(scene.notebook)).toEqual([""]);
    const { nbformat, nbformat_minor, cells } = parsed(scene.text);
    expect([nbformat, nbformat_minor, cells.length]).toEqual([4, 5, 1]);
    expect(() => scene.notebook.create()).toThrow(/not empty/);
  });
});

describe("an edit of a notebook", () => {
  it("changes a line where a line was typed, and nothing else in the file", async () => {
    await using scene = await openNotebook(usual);
    type(scene.notebook, 1, { from: 4, insert: "t" });
    expect(scene.text).toBe(usual.replace("import math", "impotrt math"));
  });

  it("gives a new cell an id only where the file has ids", async () => {
    await using old = await openNotebook(usual);
    old.notebook.insert(1, "code", "x = 1\ny = 2");
    expect(parsed(old.text).cells[1]).toEqual(code(["x = 1\n", "y = 2"]));
    await using now = await openNotebook(SAMPLES["with ids"] ?? "");
    const key = now.notebook.insert(0, "markdown", "x");
    expect(parsed(now.text).cells[0]).toEqual(markdown(["x"], { id: key }));
    expect(key).toMatch(/^[0-9a-f]{8}$/);
  });

  it("writes new cells and outputs as Jupyter would", async () => {
    await using scene = await openNotebook(jupyter([]));
    const key = scene.notebook.insert(0, "code", "1");
    scene.notebook.setExecutionCount(key, 7);
    scene.notebook.setOutputs(key, 0, [
      { output_type: "stream", name: "stdout", text: "a\nb\n" },
      {
        output_type: "execute_result",
        execution_count: 7,
        data: { "text/plain": "1", "image/png": PIXEL },
        metadata: {},
      },
    ]);
    const outputs = [
      { name: "stdout", output_type: "stream", text: ["a\n", "b\n"] },
      {
        data: { "image/png": PIXEL, "text/plain": ["1"] },
        execution_count: 7,
        metadata: {},
        output_type: "execute_result",
      },
    ];
    expect(scene.text).toBe(jupyter([code(["1"], { execution_count: 7, outputs })]));
  });

  it("of the kind takes outputs away, and undo brings them back with what was typed since", async () => {
    await using scene = await openNotebook(usual);
    const key = scene.notebook.keys[1] ?? "";
    scene.notebook.setKind(key, "markdown");
    expect(parsed(scene.text).cells[1]).toEqual(
      markdown(["import math\n", "\n", "print(math.pi)"]),
    );
    type(scene.notebook, 1, { from: 0, insert: "# typed\n" });
    expect(scene.notebook.undo()).toBe(true);
    const { cells } = parsed(usual);
    expect(parsed(scene.text).cells[1]).toEqual({
      ...cells[1],
      source: ["# typed\n", ...cells[1].source],
    });
  });

  it("splits at a line and merges again", async () => {
    await using scene = await openNotebook(jupyter([code(["a\n", "b\n", "c"])]));
    const [key = ""] = scene.notebook.keys;
    scene.notebook.split(key, 2);
    expect(sources(scene.notebook)).toEqual(["a", "b\nc"]);
    scene.notebook.merge(key);
    expect(sources(scene.notebook)).toEqual(["a\nb\nc"]);
    scene.notebook.undo();
    scene.notebook.undo();
    expect(scene.text).toBe(jupyter([code(["a\n", "b\n", "c"])]));
  });

  it("moves a cell with its outputs, byte by byte", async () => {
    await using scene = await openNotebook(usual);
    const [, key = ""] = scene.notebook.keys;
    const before = layOut(usual).cells[1];
    const raw = usual.slice(before?.from, (before?.from ?? 0) + (before?.length ?? 0));
    for (const to of [4, 0, 2, 3, 1]) {
      scene.notebook.move(key, to);
      expect(scene.notebook.keys[to]).toBe(key);
      expect(scene.text).toContain(raw);
    }
    expect(scene.text).toBe(usual);
  });

  it("copies a cell into another notebook, with its outputs, a new id and that file's looks", async () => {
    await using from = await openNotebook(usual);
    await using to = await openNotebook(SAMPLES["with four blanks"] ?? "");
    const copied = from.notebook.copy([from.notebook.keys[1] ?? ""]);
    const [key] = to.notebook.paste(5, copied);
    expect(parsed(to.text).cells[5]).toEqual({ ...parsed(usual).cells[1], id: key });
    expect(to.text).toContain('\n            "cell_type": "code"');
    expect(() => to.notebook.paste(0, ['{"cell_type": 3}'])).toThrow("not a cell");
    expect(to.notebook.undo()).toBe(true);
    expect(to.text).toBe(SAMPLES["with four blanks"]);
  });

  it("is refused with a sentence for a cell that is gone", async () => {
    await using scene = await openNotebook(usual);
    expect(() => scene.notebook.move("gone", 0)).toThrow("This cell is not there any more.");
    expect(() => scene.notebook.merge(scene.notebook.keys[4] ?? "")).toThrow(/no cell below/);
    expect(scene.text).toBe(usual);
  });
});

describe("a save", () => {
  it.each([
    ["CRLF", Buffer.from(usual.replaceAll("\n", "\r\n"))],
    ["a byte order mark", Buffer.from(`\ufeff${usual}`)],
    ["UTF-16", Buffer.from(`\ufeff${usual}`, "utf16le")],
    ["no line end at the end", Buffer.from(usual.trimEnd())],
  ])("keeps %s, and changes only what was edited", async (_, bytes) => {
    await using scene = await openNotebook(bytes);
    const { documents } = scene.documents;
    type(scene.notebook, 1, { from: 0, insert: "X" });
    await documents.save(scene.document.uri);
    const encoding = bytes[0] === 0xff ? "utf16le" : "utf8";
    const expected = bytes.toString(encoding).replace("import math", "Ximport math");
    expect((await scene.documents.bytes("a.ipynb")).toString(encoding)).toBe(expected);
  });
});

describe("a file that changes underneath", () => {
  const ids = (texts: readonly (readonly [string, string])[]) =>
    jupyter(
      texts.map(([id, text]) => code([text], { id })),
      5,
    );

  it("changes the texts of its cells by as little as needed, so that cursors stay", async () => {
    await using scene = await openNotebook(usual);
    const key = scene.notebook.keys[1] ?? "";
    const { shared } = scene.notebook.find(key)?.cell ?? {};
    const heard: unknown[] = [];
    shared?.subscribe(({ changes }) => heard.push(changes.toJSON()));
    await scene.documents.write("a.ipynb", usual.replace("print(math.pi)", "print(math.tau)"));
    await scene.documents.documents.noticeDisk();
    expect(scene.notebook.keys[1]).toBe(key);
    expect(shared?.toString()).toBe("import math\n\nprint(math.tau)");
    expect(heard).toEqual([[24, [2, "tau"], 1]]);
    expect(scene.document.dirty).toBe(false);
  });

  it("knows its cells by their ids when they are moved, and others by their texts", async () => {
    await using scene = await openNotebook(
      ids([
        ["a", "1"],
        ["b", "2"],
        ["c", "3"],
      ]),
    );
    expect(scene.notebook.keys).toEqual(["a", "b", "c"]);
    await scene.documents.write(
      "a.ipynb",
      ids([
        ["c", "3!"],
        ["new", "0"],
        ["a", "1"],
      ]),
    );
    await scene.documents.documents.noticeDisk();
    expect(scene.notebook.keys).toEqual(["c", "new", "a"]);
    expect(sources(scene.notebook)).toEqual(["3!", "0", "1"]);
    await using plain = await openNotebook(jupyter([code(["1"]), code(["2"]), code(["3"])]));
    const [one, two, three] = plain.notebook.keys;
    await plain.documents.write("a.ipynb", jupyter([code(["3"]), code(["1"]), code(["2!"])]));
    await plain.documents.documents.noticeDisk();
    expect(plain.notebook.keys).toEqual([three, one, two]);
  });

  it("tells windows only of outputs that are others now", async () => {
    await using scene = await openNotebook(usual);
    scene.told.length = 0;
    await scene.documents.write("a.ipynb", usual.replace('"two\\n"', '"zwei\\n"'));
    await scene.documents.documents.noticeDisk();
    expect(scene.told).toMatchObject([
      { kind: "outputs", key: scene.notebook.keys[1], outputs: [{ text: "one\nzwei\n" }, {}] },
    ]);
  });

  it("and is broken for a while takes no edits, and has the same cells when it is whole again", async () => {
    await using scene = await openNotebook(usual);
    const { keys } = scene.notebook;
    scene.document.edit({ from: 0, to: 1, insert: "" }, "workbench");
    expect(scene.notebook.problem).toMatch(/not valid JSON/);
    expect(() => scene.notebook.remove([keys[0] ?? ""])).toThrow(/not valid JSON/);
    scene.document.edit({ from: 0, insert: "{" }, "workbench");
    expect(scene.notebook.problem).toBeNull();
    expect(scene.notebook.keys).toEqual(keys);
  });
});

describe("a large notebook", () => {
  it("is typed into without reading its pictures", async () => {
    const picture = "A".repeat(200_000);
    const output = { data: { "image/png": picture }, metadata: {}, output_type: "display_data" };
    const cells = Array.from({ length: 50 }, (_, at) => code([`x = ${at}`], { outputs: [output] }));
    await using scene = await openNotebook(jupyter(cells));
    type(scene.notebook, 25, { from: 0, insert: "first" });
    const start = performance.now();
    for (let times = 0; times < 200; times++) type(scene.notebook, 25, { from: 0, insert: "y" });
    const each = (performance.now() - start) / 200;
    expect(each).toBeLessThan(5);
    expect(parsed(scene.text).cells[25].source[0]).toMatch(/^y{200}first/);
  });
});
