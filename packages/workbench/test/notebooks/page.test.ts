import { readFile, writeFile } from "node:fs/promises";
import type { Uri } from "@lockstep/protocol";
import { describe, expect, it } from "vitest";
import type { NotebookChange, NotebookSnapshot, WholeCell } from "../../src/contract/index.js";
import type { PageClient } from "../page-client.js";
import { WorkbenchScene } from "../workbench-scene.js";
import { code, jupyter, markdown, SAMPLES } from "./samples.js";

const call = { agent: { id: "1", name: "Agent" }, signal: new AbortController().signal };

/** What a window shows of a notebook, kept in step by what it is told. */
class Shown {
  cells: readonly WholeCell[] = [];
  #revision = 0;
  readonly #waiting = new Set<() => void>();

  static async open(page: PageClient, uri: Uri, keys: string[] = []): Promise<Shown> {
    const shown = new Shown();
    page.on("notebook.changed", ({ revision, changes }) => {
      if (revision <= shown.#revision) return;
      expect(revision).toBe(++shown.#revision);
      for (const change of changes) shown.#take(change);
      for (const look of shown.#waiting) look();
    });
    shown.#start(await page.call("notebook.attach", { uri, keys }));
    return shown;
  }

  get sources(): string[] {
    return this.cells.map(({ source }) => source);
  }

  get keys(): string[] {
    return this.cells.map(({ key }) => key);
  }

  key(index: number): string {
    return this.keys[index] ?? "";
  }

  until(holds: (cells: readonly WholeCell[]) => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (!holds(this.cells)) return;
        this.#waiting.delete(look);
        resolve();
      };
      this.#waiting.add(look);
      look();
    });
  }

  #start({ revision, cells }: NotebookSnapshot): void {
    this.#revision = revision;
    this.cells = cells;
  }

  #take(change: NotebookChange): void {
    const of = (key: string, next: (cell: WholeCell) => Partial<WholeCell>) => {
      this.cells = this.cells.map((cell) => (cell.key === key ? { ...cell, ...next(cell) } : cell));
    };
    if (change.kind === "cell") of(change.cell.key, () => change.cell);
    if (change.kind === "outputs")
      of(change.key, ({ outputs }) => ({
        outputs: [...outputs.slice(0, change.from), ...change.outputs],
      }));
    if (change.kind === "cells") {
      const known = [...this.cells, ...change.added];
      this.cells = change.keys.flatMap((key) => known.find((cell) => cell.key === key) ?? []);
    }
  }
}

async function open(text: string) {
  const scene = await WorkbenchScene.open({ "a.ipynb": text });
  const page = await scene.page();
  const uri = scene.uri("a.ipynb");
  await page.call("tab.open", { uri, preview: false });
  return { scene, page, uri, shown: await Shown.open(page, uri) };
}

const isEnded = (cell: WholeCell | undefined) => cell?.run.kind === "ended";

describe("a notebook in a window", () => {
  it("is announced as one, with its language and kernel, and opens as text where it is not", async () => {
    const { scene, page, uri } = await open(SAMPLES.usual ?? "");
    await using _scene = scene;
    const old = await scene.write("old.ipynb", '{"nbformat": 3}');
    await page.call("tab.open", { uri: old, preview: false });
    const state = await page.until(({ notebooks }) => old in notebooks);
    expect(state.notebooks[uri]).toEqual({
      uri,
      problem: null,
      empty: false,
      language: "python",
      kernelName: "Python 3 (ipykernel)",
      kernel: { status: "off", name: null, why: null },
    });
    expect(state.notebooks[old]?.problem).toMatch(/old format 3/);
    await expect(page.call("notebook.attach", { uri: old, keys: [] })).rejects.toThrow(/format 3/);
    await page.call("tab.close", { uri, discard: false });
    await page.until(({ notebooks }) => !(uri in notebooks));
    const gone = page.call("notebook.undo", { uri });
    await expect(gone).rejects.toThrow("a.ipynb is not an open notebook.");
  });

  it("knows the cell of each place in its file", async () => {
    const text = jupyter([markdown(["# One\n", "two"]), code(["three"])]);
    const { scene, page, uri, shown } = await open(text);
    await using _scene = scene;
    const lines = text.split("\n");
    const cellOf = (part: string) => {
      const line = lines.findIndex((each) => each.includes(part));
      return page.call("notebook.cellAt", {
        uri,
        line,
        character: lines[line]?.indexOf(part) ?? 0,
      });
    };
    expect(await cellOf("# One")).toBe(shown.key(0));
    expect(await cellOf("two")).toBe(shown.key(0));
    expect(await cellOf("three")).toBe(shown.key(1));
    expect(await cellOf("nbformat_minor")).toBeNull();
    expect(await page.call("notebook.cellAt", { uri, line: 99_999, character: 0 })).toBeNull();
  });

  it("that is opened and saved has the same bytes, and after an edit differs by that edit", async () => {
    const text = SAMPLES["with four blanks"] ?? "";
    const { scene, page, uri, shown } = await open(text);
    await using _scene = scene;
    await page.call("document.save", { uri });
    expect(await readFile(scene.path("a.ipynb"), "utf8")).toBe(text);
    const name = `cell:${uri}#${shown.key(1)}`;
    const { epoch, version } = await page.call("text.attach", { name });
    const updates = [{ clientID: "w", changes: [[0, "X"], 27] }];
    expect(await page.call("text.push", { name, epoch, version, updates })).toBe(true);
    await page.until(({ documents }) => documents[uri]?.dirty ?? false);
    await page.call("document.save", { uri });
    const saved = await readFile(scene.path("a.ipynb"), "utf8");
    expect(saved).toBe(text.replace("import math", "Ximport math"));
  });

  it("is the same in two windows, letter by letter and cell by cell", async () => {
    const { scene, page, uri, shown } = await open(SAMPLES.usual ?? "");
    await using _scene = scene;
    const other = await scene.page("other");
    const there = await Shown.open(other, uri);
    const name = `cell:${uri}#${shown.key(0)}`;
    const heard = new Promise((resolve) => other.on("text.updates", resolve));
    const { epoch, version } = await page.call("text.attach", { name });
    await other.call("text.attach", { name });
    const length = shown.sources[0]?.length ?? 0;
    const updates = [{ clientID: "w", changes: [[0, "#"], length] }];
    await page.call("text.push", { name, epoch, version, updates });
    expect(await heard).toMatchObject({ name, updates });
    const { key } = await page.call("notebook.insert", { uri, at: 1, kind: "raw", source: "new" });
    await page.call("notebook.remove", { uri, keys: [shown.key(3)] });
    await there.until((cells) => cells.length === 5 && cells[1]?.key === key);
    expect(there.keys).toEqual(shown.keys);
    expect(await page.call("notebook.undo", { uri })).toBe(true);
    await there.until((cells) => cells.length === 6);
  });

  it("keeps its unsaved cells over a restart, under the names that windows know", async () => {
    const { scene, page, uri, shown } = await open(jupyter([code(["a"]), markdown(["b"])]));
    await using _scene = scene;
    await page.call("notebook.insert", { uri, at: 1, kind: "code", source: "unsaved" });
    await shown.until((cells) => cells.length === 3);
    const keys = [...shown.keys];
    await scene.restart();
    const again = await Shown.open(await scene.page(), uri, keys);
    expect(again.sources).toEqual(["a", "unsaved", "b"]);
    expect(again.keys).toEqual(keys);
    const third = await Shown.open(await scene.page("third"), uri, ["x", "y", "z"]);
    expect(third.keys).toEqual(keys);
  });

  it("goes by its new name when its file is renamed, with the state of its kernel", async () => {
    const { scene, page, uri, shown } = await open(SAMPLES["with ids"] ?? "");
    await using _scene = scene;
    await page.call("notebook.run", { uri, keys: [shown.key(1)] });
    await shown.until(([, cell]) => isEnded(cell));
    await page.call("document.save", { uri });
    const now = scene.uri("b.ipynb");
    await page.call("files.rename", { from: uri, to: now });
    const state = await page.until(({ notebooks }) => now in notebooks && !(uri in notebooks));
    expect(state.notebooks[now]?.kernel.status).toBe("idle");
    const { text } = await page.call("text.attach", { name: `cell:${now}#${shown.key(1)}` });
    expect(text).toBe("import math\n\nprint(math.pi)");
    await page.call("notebook.insert", { uri: now, at: 0, kind: "code", source: "print(math.e)" });
    const again = await Shown.open(await scene.page("again"), now);
    await page.call("notebook.run", { uri: now, keys: [again.key(0)] });
    await again.until(([cell]) => isEnded(cell));
    expect(again.cells[0]?.outputs).toMatchObject([{ text: expect.stringMatching(/^2\.71/) }]);
  });
});

describe("what agents see of a notebook", () => {
  it("is the cell that the person is in, with its own lines, and the file as it would be saved", async () => {
    const { scene, page, uri, shown } = await open(SAMPLES["with ids"] ?? "");
    await using _scene = scene;
    const { abilities } = scene.workbench;
    await page.call("window.show", { view: { kind: "document", uri }, focused: true });
    expect(await abilities.selection?.(undefined, call)).toMatchObject({ uri, text: "" });
    const select = (cell: string) =>
      page.call("window.select", {
        uri,
        cell,
        anchor: { line: 2, character: 0 },
        head: { line: 2, character: 5 },
        focused: true,
      });
    await select(shown.key(1));
    expect(await abilities.selection?.(undefined, call)).toEqual({
      uri,
      range: { start: { line: 2, character: 0 }, end: { line: 2, character: 5 } },
      text: "print",
      cell: { index: 1, id: "cell-1" },
    });
    await page.until(({ sharing: { sight } }) => sight.kind === "lines" && sight.cell === 1);
    const [tab] = (await abilities.tabs?.(undefined, call)) ?? [];
    expect(tab).toMatchObject({ uri, active: true, label: "a.ipynb" });
    expect(tab).not.toHaveProperty("selection");
    await page.call("notebook.remove", { uri, keys: [shown.key(1)] });
    expect(await abilities.selection?.(undefined, call)).not.toHaveProperty("cell");
    const { text } = (await abilities.text?.({ uri }, call)) ?? {};
    expect(JSON.parse(text ?? "").cells).toHaveLength(4);
  });
});

describe("a cell that is run", () => {
  it("shows and writes what it prints, with its number, and makes the document dirty", async () => {
    const { scene, page, uri, shown } = await open(jupyter([code(["print('hi')\n", "6 * 7"])]));
    await using _scene = scene;
    await page.call("notebook.run", { uri, keys: shown.keys });
    await shown.until(([cell]) => isEnded(cell));
    expect(shown.cells[0]).toMatchObject({
      executionCount: 1,
      run: { kind: "ended", how: "done" },
      outputs: [
        { kind: "stream", text: "hi\n" },
        { kind: "data", mime: "text/plain", text: "42" },
      ],
    });
    expect(page.state.documents[uri]?.dirty).toBe(true);
    expect(page.state.notebooks[uri]?.kernel).toMatchObject({ status: "idle" });
    await page.call("document.save", { uri });
    const { cells } = JSON.parse(await readFile(scene.path("a.ipynb"), "utf8"));
    expect(cells[0]).toEqual(
      code(["print('hi')\n", "6 * 7"], {
        execution_count: 1,
        outputs: [
          { name: "stdout", output_type: "stream", text: ["hi\n"] },
          {
            data: { "text/plain": ["42"] },
            execution_count: 1,
            metadata: {},
            output_type: "execute_result",
          },
        ],
      }),
    );
  });

  it("and fails takes back those that wait after it", async () => {
    const cells = [code(["1 / 0"]), markdown(["words"]), code(["print('never')"])];
    const { scene, page, uri, shown } = await open(jupyter(cells));
    await using _scene = scene;
    await page.call("notebook.run", { uri, keys: shown.keys });
    await shown.until(([cell, , last]) => isEnded(cell) && last?.run.kind === "none");
    expect(shown.cells[0]).toMatchObject({
      run: { how: "failed" },
      outputs: [{ kind: "error", name: "ZeroDivisionError" }],
    });
    expect(shown.cells[2]?.outputs).toEqual([]);
  });

  it("is interrupted with those that wait, and the kernel keeps its state", async () => {
    const cells = [code(["x = 1\n", "print('on')\n", "while True: pass"]), code(["print(x)"])];
    const { scene, page, uri, shown } = await open(jupyter(cells));
    await using _scene = scene;
    await page.call("notebook.run", { uri, keys: shown.keys });
    await shown.until(([cell]) => cell?.outputs.length === 1);
    await page.call("notebook.interrupt", { uri });
    await shown.until(([cell, next]) => isEnded(cell) && next?.run.kind === "none");
    expect(shown.cells[0]?.outputs.at(-1)).toMatchObject({ name: "KeyboardInterrupt" });
    await page.call("notebook.run", { uri, keys: [shown.key(1)] });
    await shown.until(([, next]) => isEnded(next));
    expect(shown.cells[1]?.outputs).toMatchObject([{ text: "1\n" }]);
    await page.call("notebook.restart", { uri });
    await page.call("notebook.run", { uri, keys: [shown.key(1)] });
    await shown.until(([, next]) => next?.outputs[0]?.kind === "error");
  });

  it("whose kernel is killed in the middle says so, keeps what it printed, and runs again", async () => {
    const suicide = ["import os\n", "print('before', flush=True)\n", "os.kill(os.getpid(), 9)"];
    const { scene, page, uri, shown } = await open(jupyter([code(suicide), code(["2"])]));
    await using _scene = scene;
    await page.call("notebook.run", { uri, keys: shown.keys });
    await shown.until(([cell, next]) => isEnded(cell) && next?.run.kind === "none");
    const state = await page.until(({ notebooks }) => notebooks[uri]?.kernel.status === "dead");
    expect(state.notebooks[uri]?.kernel.why).toMatch(/died while this code ran/);
    expect(shown.cells[0]?.run).toMatchObject({ how: "stopped" });
    await page.call("notebook.run", { uri, keys: [shown.key(1)] });
    await shown.until(([, next]) => next?.outputs.length === 1);
  });

  it("goes on where its cell is, though the file changes underneath while it runs", async () => {
    const wait = "while not os.path.exists('go'): time.sleep(0.01)\n";
    const cells = [code(["import os, time\n", "print(1)\n", wait, "print(2)"])];
    const { scene, page, uri, shown } = await open(jupyter(cells));
    await using _scene = scene;
    await page.call("document.save", { uri });
    await page.call("notebook.run", { uri, keys: shown.keys });
    await shown.until(([cell]) => cell?.outputs.length === 1);
    await page.call("notebook.insert", { uri, at: 0, kind: "markdown", source: "above" });
    await writeFile(scene.path("go"), "");
    await shown.until(([, cell]) => isEnded(cell));
    expect(shown.cells[1]?.outputs).toMatchObject([{ text: "1\n2\n" }]);
    await page.call("document.save", { uri });
    await writeFile(scene.path("a.ipynb"), jupyter([code(["only"])]));
    await shown.until((all) => all.length === 1);
  });
});
