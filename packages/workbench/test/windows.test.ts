import { writeFile } from "node:fs/promises";
import { ChangeSet } from "@codemirror/state";
import type { Call } from "@lockstep/editor";
import type { Uri } from "@lockstep/protocol";
import { describe, expect, it } from "vitest";
import type { PageClient } from "./page-client.js";
import { WorkbenchScene } from "./workbench-scene.js";

const call: Call = {
  agent: { id: "agent", name: "An agent" },
  signal: new AbortController().signal,
};

const at = (line: number, character: number) => ({ line, character });

/** As a page does when the person opens a file in it. */
async function show(page: PageClient, uri: Uri, focused = true): Promise<void> {
  await page.call("tab.open", { uri, preview: false });
  await page.call("window.show", { view: { kind: "document", uri }, focused });
}

async function insert(page: PageClient, name: string, text: string): Promise<void> {
  const { epoch, version, text: before } = await page.call("text.attach", { name });
  const changes = ChangeSet.of({ from: 0, insert: text }, before.length).toJSON();
  await page.call("text.push", { name, epoch, version, updates: [{ clientID: name, changes }] });
}

describe("the selection", () => {
  it("is that of the window which the person was in last", async () => {
    await using scene = await WorkbenchScene.open({ "a.txt": "aaa\n", "b.txt": "bbb\n" });
    const [one, two] = [await scene.page("one"), await scene.page("two")];
    const [a, b] = [scene.uri("a.txt"), scene.uri("b.txt")];
    await show(one, a);
    await show(two, b);
    const { abilities } = scene.workbench;
    expect((await abilities.selection?.(undefined, call))?.uri).toBe(b);
    // A window in the background that changes something does not take it.
    const marked = { anchor: at(0, 0), head: at(0, 2) };
    await one.call("window.select", { uri: a, ...marked, focused: false });
    expect((await abilities.selection?.(undefined, call))?.uri).toBe(b);
    await one.call("window.select", { uri: a, ...marked, focused: true });
    expect(await abilities.selection?.(undefined, call)).toMatchObject({ uri: a, text: "aa" });
    await one.close();
    expect((await abilities.selection?.(undefined, call))?.uri).toBe(a);
  });

  it("past the end of a text that has become shorter is its end", async () => {
    await using scene = await WorkbenchScene.open({ "a.txt": "one\ntwo\nthree\n" });
    const page = await scene.page();
    const uri = scene.uri("a.txt");
    await show(page, uri);
    await page.call("window.select", { uri, anchor: at(2, 5), head: at(1, 1), focused: true });
    await writeFile(scene.path("a.txt"), "one\nt");
    const text = await scene.workbench.abilities.text?.({ uri }, call);
    expect(text).toEqual({ text: "one\nt", dirty: false });
    const selection = await scene.workbench.abilities.selection?.(undefined, call);
    expect(selection).toMatchObject({ range: { start: at(1, 1), end: at(1, 1) }, text: "" });
  });

  it("is shown to the person as agents see it", async () => {
    await using scene = await WorkbenchScene.open({ "a.txt": "one\ntwo\nthree\n" });
    const page = await scene.page();
    const uri = scene.uri("a.txt");
    await show(page, uri);
    await page.until(({ sharing }) => sharing.sight.kind === "file");
    await page.call("window.select", { uri, anchor: at(0, 0), head: at(2, 0), focused: true });
    const { sharing } = await page.until((state) => state.sharing.sight.kind === "lines");
    expect(sharing.sight).toEqual({ kind: "lines", uri, label: "a.txt", first: 0, last: 1 });
  });
});

describe("a file that an agent opens", () => {
  it("is shown in the person's window, and in the next one if there is none", async () => {
    await using scene = await WorkbenchScene.open({ "a.txt": "one\n" });
    const uri = scene.uri("a.txt");
    const request = { uri, focus: true, preview: false } as const;
    await scene.workbench.abilities.open?.(request, call);
    const page = await scene.page();
    expect(page.view).toEqual({ kind: "document", uri });
    const revealed = new Promise((resolve) => page.on("window.reveal", resolve));
    const range = { start: at(0, 0), end: at(0, 3) };
    await scene.workbench.abilities.open?.({ ...request, range }, call);
    expect(await revealed).toEqual({ uri, focus: true, range });
  });

  it("does not take the person back to where they were before", async () => {
    const large = "line\n".repeat(400_000);
    await using scene = await WorkbenchScene.open({ "a.txt": "a", "b.txt": "b", "c.txt": large });
    const page = await scene.page();
    await show(page, scene.uri("b.txt"));
    await show(page, scene.uri("a.txt"));
    const { open, selection } = scene.workbench.abilities;
    const opening = open?.({ uri: scene.uri("c.txt"), focus: false, preview: false }, call);
    await page.call("window.show", {
      view: { kind: "document", uri: scene.uri("b.txt") },
      focused: true,
    });
    await opening;
    expect((await selection?.(undefined, call))?.uri).toBe(scene.uri("b.txt"));
  });
});

describe("after a restart", () => {
  it("tabs, unsaved edits and each window's view are there again", async () => {
    await using scene = await WorkbenchScene.open({ "a.txt": "a\n", "b.txt": "b\n" });
    const [one, two] = [await scene.page("one"), await scene.page("two")];
    const [a, b] = [scene.uri("a.txt"), scene.uri("b.txt")];
    await show(one, a);
    await insert(one, a, "unsaved ");
    await show(two, b);
    await scene.restart();
    const again = await scene.page("one");
    expect(again.view).toEqual({ kind: "document", uri: a });
    expect(again.state.tabs.map(({ uri }) => uri)).toEqual([a, b]);
    expect(again.state.documents[a]).toMatchObject({ dirty: true });
    expect((await again.call("text.attach", { name: a })).text).toBe("unsaved a\n");
    expect((await scene.page("three")).view).toEqual({ kind: "document", uri: b });
  });

  it("agents' selection is where the person was", async () => {
    await using scene = await WorkbenchScene.open({ "a.txt": "a\n", "b.txt": "b\n" });
    const page = await scene.page();
    await show(page, scene.uri("b.txt"));
    await show(page, scene.uri("a.txt"));
    await scene.restart();
    const selection = await scene.workbench.abilities.selection?.(undefined, call);
    expect(selection?.uri).toBe(scene.uri("a.txt"));
  });
});
