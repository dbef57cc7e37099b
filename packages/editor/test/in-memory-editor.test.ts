import { fileUri, type Uri } from "@lockstep/protocol";
import { describe, expect, it } from "vitest";
import { InMemoryEditor } from "../src/index.js";

const call = { agent: { id: "1", name: "a" }, signal: new AbortController().signal };
const uri = fileUri("/workspace/a.ts");

/** Work of the editor's surroundings that has begun when `begun` resolves and ends by `finish`. */
function slow<Result>() {
  let begin = () => {};
  let finish = (_: Result) => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const result = new Promise<Result>((resolve) => {
    finish = resolve;
  });
  const work = () => {
    begin();
    return result;
  };
  return { work, begun, finish };
}

const textOf = (editor: InMemoryEditor) => editor.abilities.text?.({ uri }, call);

describe("what the person types while an agent's request is under way", () => {
  it("stays unsaved if a save began before it", async () => {
    const store = slow<void>();
    const editor = new InMemoryEditor({ store: store.work });
    editor.open(uri, "old");
    editor.type(uri, "new");
    const saving = editor.abilities.save?.({ uri }, call);
    await store.begun;
    editor.type(uri, "newer");
    store.finish();
    await saving;
    expect(await textOf(editor)).toEqual({ text: "newer", dirty: true });
    expect(await editor.abilities.close?.({ uri }, call)).toBe("kept");
  });

  it("is not overwritten by what a formatter made of the text before it", async () => {
    const formatter = slow<string>();
    const stored: string[] = [];
    const editor = new InMemoryEditor({
      store: async (_, text) => void stored.push(text),
      formatter: formatter.work,
    });
    editor.open(uri, "old  ");
    const formatting = editor.abilities.format?.({ uri }, call);
    await formatter.begun;
    editor.type(uri, "mine");
    formatter.finish("old");
    await expect(formatting).rejects.toThrow("/workspace/a.ts was edited meanwhile");
    expect(await textOf(editor)).toEqual({ text: "mine", dirty: true });
    expect(stored).toEqual([]);
  });

  it("is not overwritten by the format of a file that was closed when it began", async () => {
    const formatter = slow<string>();
    const files = new Map<Uri, string>([[uri, "old  "]]);
    const editor = new InMemoryEditor({
      load: async (file) => files.get(file) ?? null,
      store: async (file, text) => void files.set(file, text),
      formatter: formatter.work,
    });
    const formatting = editor.abilities.format?.({ uri }, call);
    await formatter.begun;
    editor.open(uri, "old  ");
    editor.type(uri, "mine");
    formatter.finish("old");
    await expect(formatting).rejects.toThrow("was edited meanwhile");
    expect(await textOf(editor)).toEqual({ text: "mine", dirty: true });
    expect(files.get(uri)).toBe("old  ");
  });

  for (const onDisk of ["old", null]) {
    it(`stays when the agent opens the same file, which is ${onDisk ?? "gone"}`, async () => {
      const load = slow<string | null>();
      const editor = new InMemoryEditor({ load: load.work });
      const opening = editor.abilities.open?.({ uri, focus: true, preview: true }, call);
      await load.begun;
      editor.open(uri, "old");
      editor.type(uri, "mine");
      load.finish(onDisk);
      await opening;
      expect(await textOf(editor)).toEqual({ text: "mine", dirty: true });
    });
  }

  it("stays open though its file vanished", async () => {
    const load = slow<null>();
    const editor = new InMemoryEditor({ load: load.work });
    editor.open(uri, "old");
    const listing = editor.abilities.tabs?.(undefined, call);
    await load.begun;
    editor.type(uri, "mine");
    load.finish(null);
    expect(await listing).toMatchObject([{ uri, dirty: true }]);
    expect(await textOf(editor)).toEqual({ text: "mine", dirty: true });
  });
});

it("a document whose formatted text could not be saved is unsaved", async () => {
  const editor = new InMemoryEditor({
    store: () => Promise.reject(new Error("The disk is full")),
    formatter: async (text) => text.trim(),
  });
  editor.open(uri, "old  ");
  await expect(editor.abilities.format?.({ uri }, call)).rejects.toThrow("The disk is full");
  expect(await textOf(editor)).toEqual({ text: "old", dirty: true });
});
