import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CellOutput } from "../../src/contract/kernels.js";
import { layOut } from "../../src/notebooks/layout.js";
import type { OpenNotebook } from "../../src/notebooks/open-notebook.js";
import { SAMPLES } from "./samples.js";
import { type NotebookScene, openNotebook, sources, type } from "./scene.js";

type Cells = Record<string, unknown>[];
const cellsIn = (text: string): Cells => JSON.parse(text).cells;
const sourceOf = ({ source = "" }: Record<string, unknown>): string =>
  Array.isArray(source) ? source.join("") : String(source);

const OUTPUTS: readonly CellOutput[] = [
  { output_type: "stream", name: "stdout", text: "a\nb" },
  { output_type: "display_data", data: { "text/plain": "x\ny" }, metadata: {} },
  { output_type: "error", ename: "E", evalue: "", traceback: ["t"] },
];

const act = fc.record({
  do: fc.constantFrom(
    ...(["type", "type", "type", "insert", "remove", "move", "kind", "split", "merge"] as const),
    ...(["outputs", "more outputs", "count", "clear", "undo", "redo"] as const),
  ),
  cell: fc.nat(6),
  at: fc.nat(40),
  remove: fc.nat(4),
  text: fc.constantFrom("", "x", "\n", 'é"\\\n', "a\nb\n", "😀"),
  kind: fc.constantFrom("code" as const, "markdown" as const, "raw" as const),
  count: fc.nat(3),
});
type Act = typeof act extends fc.Arbitrary<infer Value> ? Value : never;

/** Does it, if there is such a cell. */
function perform(notebook: OpenNotebook, { do: what, cell, at, remove, text, kind, count }: Act) {
  const { keys } = notebook;
  const key = keys[cell];
  if (what === "insert") return void notebook.insert(Math.min(cell, keys.length), kind, text);
  if (what === "undo") return void notebook.undo();
  if (what === "redo") return void notebook.redo();
  if (key === undefined) return;
  const source = notebook.find(key)?.cell.shared.toString() ?? "";
  const from = Math.min(at, source.length);
  const to = Math.min(from + remove, source.length);
  if (what === "type") type(notebook, cell, { from, to, insert: text });
  else if (what === "remove") notebook.remove([key]);
  else if (what === "move") notebook.move(key, Math.min(at, keys.length - 1));
  else if (what === "kind") notebook.setKind(key, kind);
  else if (what === "split") notebook.split(key, from);
  else if (what === "outputs") notebook.setOutputs(key, 0, OUTPUTS.slice(0, count));
  else if (what === "more outputs") notebook.setOutputs(key, count, OUTPUTS.slice(0, remove));
  else if (what === "count") notebook.setExecutionCount(key, count);
  else if (what === "clear") notebook.clearOutputs([key]);
  else if (cell < keys.length - 1) notebook.merge(key);
}

/** What is known of the cells is what the JSON has. */
function checkInStep({ notebook, text }: NotebookScene) {
  const found = layOut(text);
  const cells = notebook.keys.map((key) => notebook.find(key)?.cell);
  expect(cells.map((cell) => ({ from: cell?.from, ...cell?.layout }))).toEqual(found.cells);
  expect(sources(notebook)).toEqual(cellsIn(text).map(sourceOf));
  expect(new Set(notebook.keys).size).toBe(notebook.keys.length);
}

describe.each(Object.entries(SAMPLES))("a notebook %s", (_, sample) => {
  it("is in step with its JSON whatever is done to its cells, and found in it again", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 1, maxLength: 12 }), async (acts) => {
        await using scene = await openNotebook(sample);
        for (const each of acts) {
          perform(scene.notebook, each);
          checkInStep(scene);
        }
        // Half a character cannot be written into a file.
        if (!scene.text.isWellFormed()) return;
        await using again = await openNotebook(scene.text);
        expect(sources(again.notebook)).toEqual(sources(scene.notebook));
      }),
      { numRuns: 12 },
    );
  });

  it("keeps every byte outside of the cell that is edited", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(act, { minLength: 1, maxLength: 6 }),
        fc.nat(4),
        async (acts, at) => {
          await using scene = await openNotebook(sample);
          const before = layOut(sample);
          const chosen = before.cells[at];
          if (!chosen) return;
          const inside = ["type", "outputs", "more outputs", "count", "clear", "kind"];
          for (const each of acts) {
            if (inside.includes(each.do)) perform(scene.notebook, { ...each, cell: at });
          }
          const tail = sample.slice(chosen.from + chosen.length);
          expect(scene.text.slice(0, chosen.from)).toBe(sample.slice(0, chosen.from));
          expect(scene.text.endsWith(tail)).toBe(true);
        },
      ),
      { numRuns: 6 },
    );
  });

  it("is as it was, to the byte, when what was typed is taken away again", async () => {
    await using scene = await openNotebook(sample);
    const { notebook, document } = scene;
    for (const index of notebook.keys.keys()) {
      const length = notebook.whole[index]?.source.length ?? 0;
      const middle = Math.floor(length / 2);
      type(notebook, index, { from: middle, insert: "typed" });
      type(notebook, index, { from: middle, to: middle + 5, insert: "" });
    }
    // A source that was not there is there now, and an empty line of a list may be gone.
    const isUsual = ({ source }: Record<string, unknown>) =>
      source !== undefined && !(Array.isArray(source) && source.includes(""));
    if (cellsIn(sample).every(isUsual)) {
      expect(scene.text).toBe(sample);
      expect(document.dirty).toBe(false);
    } else expect(sources(notebook)).toEqual(cellsIn(sample).map(sourceOf));
  });

  it("is as it was, to the byte, when all that was done to whole cells is undone", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 1, maxLength: 8 }), async (acts) => {
        await using scene = await openNotebook(sample);
        const { notebook } = scene;
        const whole = ["insert", "remove", "move", "kind", "clear"];
        const done = acts.filter((each) => whole.includes(each.do));
        for (const each of done) perform(notebook, each);
        const after = scene.text;
        while (notebook.undo());
        expect(JSON.parse(scene.text)).toEqual(JSON.parse(sample));
        while (notebook.redo());
        expect(JSON.parse(scene.text)).toEqual(JSON.parse(after));
      }),
      { numRuns: 6 },
    );
  });
});
