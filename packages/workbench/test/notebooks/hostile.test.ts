import { expect, it } from "vitest";
import { LARGEST_FILE } from "../../src/documents/disk-file.js";
import { WorkbenchScene } from "../workbench-scene.js";
import { code, jupyter } from "./samples.js";
import { openNotebook } from "./scene.js";

/** A record that cannot be made a text of. */
const ODD = { toString: 1, valueOf: 1 };

const notebook = (...outputs: readonly unknown[]) =>
  JSON.stringify({
    cells: [{ cell_type: "code", execution_count: ODD, metadata: {}, outputs, source: [] }],
    metadata: { kernelspec: { name: ODD }, language_info: { name: ODD } },
    nbformat: 4,
    nbformat_minor: 4,
  });

it("a notebook whose outputs are none is shown, and keeps nobody from starting", async () => {
  const text = notebook(
    { output_type: "error", ename: ODD, evalue: [ODD], traceback: [ODD, 5, null] },
    { output_type: "stream", name: ODD, text: ODD },
    { output_type: "display_data", data: { "text/plain": [ODD], "image/png": ODD } },
    { output_type: "display_data", data: [ODD] },
    { output_type: ODD },
    null,
    7,
  );
  await using scene = await WorkbenchScene.open({ "a.ipynb": text });
  const uri = scene.uri("a.ipynb");
  const page = await scene.page();
  await page.call("tab.open", { uri, preview: false });
  const { cells } = await page.call("notebook.attach", { uri, keys: [] });
  const odd = JSON.stringify(ODD);
  expect(cells[0]?.outputs).toEqual([
    { kind: "error", name: odd, message: odd, traceback: `${odd}\n5\n` },
    { kind: "stream", name: "stdout", text: odd },
    expect.objectContaining({ kind: "data", mime: "image/png", text: odd, plain: odd }),
    expect.objectContaining({ kind: "data", mime: null }),
    { kind: "unknown", type: "nothing" },
    { kind: "unknown", type: "nothing" },
    { kind: "unknown", type: "nothing" },
  ]);
  await scene.restart();
  const again = await scene.page();
  expect((await again.call("notebook.attach", { uri, keys: [] })).cells).toHaveLength(1);
  expect(scene.faults).toEqual([]);
});

it("one with an output nested as deeply as can be read is shown, too", async () => {
  for (const depth of [1_000, 3_000, 5_000, 7_000]) {
    const output = { output_type: "display_data", data: { "application/json": "DEEP" } };
    const deep = "[".repeat(depth) + "]".repeat(depth);
    const text = notebook(output).replace('"DEEP"', deep);
    await using scene = await WorkbenchScene.open({ "a.ipynb": text });
    const uri = scene.uri("a.ipynb");
    const page = await scene.page();
    await page.call("tab.open", { uri, preview: false });
    await page.until(({ notebooks }) => notebooks[uri] !== undefined);
    expect(scene.faults).toEqual([]);
  }
});

it("outputs that would make a notebook too large to be opened again are left out, which is said", async () => {
  await using scene = await openNotebook(jupyter([code("a"), code("b")]));
  const { keys } = scene.notebook;
  // The first is shown again, as an animation is.
  for (const key of [keys[0] ?? "", ...keys]) {
    const data = { "image/png": "A".repeat(30_000_000) };
    scene.notebook.setOutputs(key, 0, [{ output_type: "display_data", data, metadata: {} }]);
  }
  expect(scene.text.length).toBeLessThan(LARGEST_FILE);
  expect(scene.notebook.whole.map(({ outputs }) => outputs)).toMatchObject([
    [{ kind: "data", mime: "image/png" }],
    [{ kind: "stream", text: expect.stringMatching(/does not fit/) }],
  ]);
  expect(scene.notebook.problem).toBeNull();
});
