import { execFileSync } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, vi } from "vitest";
import { WorkbenchScene } from "../workbench-scene.js";
import { Asking } from "./scene.js";

const script = fileURLToPath(new URL("fake-server.mjs", import.meta.url));
const PULL = "textDocument/diagnostic";
const at = (line: number, character: number) => ({ line, character });

/** A workbench whose person has named a server for Lua that behaves as told. */
async function behaving(how: string) {
  const scene = await WorkbenchScene.open({ "a.lua": "hello\n", "b.lua": "hello\n" });
  const log = join(scene.root, "log");
  const command = [process.execPath, script, how, log];
  const folder = join(scene.root, "config", "lockstep");
  await mkdir(folder, { recursive: true });
  const settings = { languageServers: { fake: { name: "Fake", command, languages: ["lua"] } } };
  await writeFile(join(folder, "lockstep.json"), JSON.stringify(settings));
  await scene.restart();
  const page = await scene.page();
  const uri = scene.uri("a.lua");
  const server = () => page.state.languageServers.fake;
  const open = () => page.call("tab.open", { uri, preview: false });
  return { scene, page, uri, server, open, log };
}

/** Processes of that fake. */
const running = (log: string): readonly string[] =>
  execFileSync("ps", ["-eo", "args"], { encoding: "utf8" })
    .split("\n")
    .filter((line) => line.includes(script) && line.includes(log));

describe("a language server that", () => {
  for (const [how, why] of [
    ["crashes", "It ended with code 1: something is wrong with me."],
    ["garbage", "It sent something that is not a message."],
    ["not JSON", "It sent something that is not JSON."],
    ["huge", "It sent a message of 99999999999 bytes."],
    ["endless header", "It sent something that is not a message."],
    ["refuses", "Fake could not do it: No licence."],
  ] as const) {
    it(`${how} is ended, and started again after a while`, async () => {
      const { scene, page, open } = await behaving(how);
      await using _ = scene;
      await open();
      await page.until(({ languageServers: { fake } }) => fake?.status === "waiting");
      expect(page.state.languageServers.fake?.detail).toBe(`${why} It is started again in 1 s.`);
      await page.until(({ languageServers: { fake } }) => fake?.detail.includes("2 s") === true);
      expect(scene.faults).toEqual([]);
    });
  }

  it("closes its output, but lives, is ended, whatever is typed meanwhile", async () => {
    const { scene, page, uri, open } = await behaving("closes its output");
    await using _ = scene;
    await open();
    const { epoch, version } = await page.call("text.attach", { name: uri });
    await page.until(({ languageServers: { fake } }) => fake?.status === "ready");
    for (let typed = 0; page.state.languageServers.fake?.status === "ready"; typed++) {
      const updates = [{ clientID: "me", changes: [[0, "x"], 6 + typed] }];
      await page.call("text.push", { name: uri, epoch, version: version + typed, updates });
      await page.call("language.hover", { uri, position: at(0, 0) }).catch(() => {});
    }
    await page.until(({ languageServers: { fake } }) => fake?.status === "waiting");
    expect(page.state.languageServers.fake?.detail).toMatch(/^It closed its output\./);
    expect(scene.faults).toEqual([]);
  });

  it("never answers is waited for no longer than agents wait, and does not keep the end back", async () => {
    const { scene, page, uri, open } = await behaving("silent-pull");
    await using _ = scene;
    await open();
    await page.until(({ languageServers: { fake } }) => fake?.status === "ready");
    const agent = new Asking(scene);
    const begun = Date.now();
    expect(await agent.baseline("a.lua")).toEqual([]);
    expect(Date.now() - begun).toBeLessThan(1_000);
    expect(await agent.all()).toEqual({});
    expect(Date.now() - begun).toBeLessThan(4_000);
    const first = page.call("language.hover", { uri, position: at(0, 1) });
    const second = page.call("language.hover", { uri, position: at(0, 2) });
    expect(await first).toBeNull();
    second.catch(() => {});
  });

  it("wants to be asked again with every answer is asked now and then", async () => {
    const { scene, page, open, log } = await behaving("refreshes");
    await using _ = scene;
    await open();
    await page.until(({ languageServers: { fake } }) => fake?.status === "ready");
    const questions = async () =>
      (await readFile(log, "utf8")).split("\n").filter((line) => line === PULL).length;
    await expect.poll(questions, { timeout: 10_000 }).toBeGreaterThan(2);
    // It is asked for as long as this takes; without a pause that would be hundreds of times.
    expect(await questions()).toBeLessThan(20);
    const begun = performance.now();
    await new Asking(scene).all();
    expect(performance.now() - begun).toBeLessThan(2_500);
    expect(await questions()).toBeLessThan(30);
  });

  it("is slow to say something is waited for after a write, though not before it", async () => {
    const { scene, page, open } = await behaving("late");
    await using _ = scene;
    await open();
    await page.until(({ languageServers: { fake } }) => fake?.status === "ready");
    const agent = new Asking(scene);
    expect(await agent.baseline("b.lua")).toEqual([]);
    await scene.write("b.lua", "changed\n");
    expect((await agent.all())["b.lua"]).toEqual(["0: version 2 0"]);
  });

  for (const how of ["loads", "has not loaded"]) {
    it(`answers before it has loaded the project, and says that it ${how}, is asked again`, async () => {
      const { scene, page, uri, open } = await behaving(how);
      await using _ = scene;
      await open();
      await page.until(({ languageServers: { fake } }) => fake?.status === "ready");
      expect(await new Asking(scene).all()).toEqual({ "a.lua": ["0: wrong 0"] });
      await page.until(({ problems }) => problems[uri] !== undefined);
    });
  }

  it("says that its answer would be of an old text is asked again", async () => {
    const { scene, page, uri, open } = await behaving("outdated");
    await using _ = scene;
    await open();
    const hover = await page.call("language.hover", { uri, position: at(0, 1) });
    expect(hover?.text).toBe("known");
  });

  it("looks at what is saved hears of it, whoever has written the file", async () => {
    const { scene, page, uri, open, log } = await behaving("pulls");
    await using _ = scene;
    await open();
    await page.until(({ problems }) => problems[uri] !== undefined);
    const agent = new Asking(scene);
    await agent.baseline("b.lua");
    const saves = async () =>
      (await readFile(log, "utf8")).split("\n").filter((line) => line.endsWith("didSave")).length;
    expect(await saves()).toBe(0);
    await scene.write("a.lua", "an open document\n");
    await expect.poll(saves).toBe(1);
    await scene.write("b.lua", "a file that is followed\n");
    await expect.poll(saves).toBe(2);
  });

  it("does not even greet is shown as at work, and ends with the workbench", async () => {
    const { scene, page, open, log } = await behaving("mute");
    await open();
    await page.until(({ languageServers: { fake } }) => fake?.status === "working");
    await vi.waitUntil(() => running(log).length === 1, 20_000);
    expect(await new Asking(scene).baseline("a.lua")).toEqual([]);
    await scene[Symbol.asyncDispose]();
    expect(running(log)).toEqual([]);
  });

  it("ignores all that ends others is killed with the workbench", async () => {
    const { scene, page, open, log } = await behaving("immortal");
    await open();
    await page.until(({ languageServers: { fake } }) => fake?.status === "ready");
    expect(running(log)).toHaveLength(1);
    await scene[Symbol.asyncDispose]();
    expect(running(log)).toEqual([]);
  });

  it("ends while it is asked fails the question with a sentence", async () => {
    const { scene, page, uri, open } = await behaving("dies when asked");
    await using _ = scene;
    await open();
    await page.until(({ languageServers: { fake } }) => fake?.status === "ready");
    await expect(page.call("language.hover", { uri, position: at(0, 1) })).rejects.toThrow(
      "Fake ended while it was asked.",
    );
    await page.until(({ languageServers: { fake } }) => fake?.status === "waiting");
    await page.call("language.restart", { id: "fake" });
    await page.until(({ languageServers: { fake } }) => fake?.status === "ready");
  });

  it("answers nonsense is believed in nothing that makes no sense", async () => {
    const { scene, page, uri, open } = await behaving("nonsense");
    await using _ = scene;
    await open();
    await page.until(({ problems }) => problems[uri] !== undefined);
    expect(page.state.problems[uri]?.items.map(({ message }) => message)).toEqual([
      "the only good one",
    ]);
    for (let round = 0; round < 6; round++) {
      const position = at(0, 1);
      expect(await page.call("language.hover", { uri, position })).toBeNull();
      const completions = await page.call("language.complete", { uri, position });
      expect(completions.items).toEqual([]);
      expect(await page.call("language.symbols", { uri })).toEqual([]);
      expect(await page.call("language.signature", { uri, position })).toBeNull();
      const what = "definition" as const;
      expect(await page.call("language.definition", { uri, position, what })).toEqual([]);
    }
    expect(page.state.languageServers.fake?.status).toBe("ready");
    expect(scene.faults).toEqual([]);
  });

  it("floods is bounded in what is kept, and keeps nobody waiting", async () => {
    const { scene, page, uri, open } = await behaving("floods");
    await using _ = scene;
    await open();
    await page.until(({ problems }) => Object.keys(problems).length >= 100);
    const before = process.memoryUsage().rss;
    await page.until(({ problems }) => Object.keys(problems).length >= 300);
    for (let round = 0; round < 20; round++) await page.call("language.symbols", { uri });
    expect(page.state.problems[uri]?.items).toHaveLength(100);
    expect(page.state.problems[uri]?.more).toBe(900);
    expect(process.memoryUsage().rss - before).toBeLessThan(400 * 1024 * 1024);
  });

  it("does not read is ended before what it does not read fills the memory", async () => {
    const { scene, page, uri, open } = await behaving("deaf");
    await using _ = scene;
    await open();
    await page.until(({ languageServers: { fake } }) => fake?.status === "ready");
    const text = await page.call("text.attach", { name: uri });
    let { version } = text;
    let { length } = text.text;
    while (page.state.languageServers.fake?.status === "ready") {
      const updates = [{ clientID: "me", changes: [[length, "x".repeat(1_000_000)]] }];
      await page.call("text.push", { name: uri, epoch: text.epoch, version, updates });
      version++;
      length = 1_000_000;
      expect(version).toBeLessThan(100);
    }
    expect(page.state.languageServers.fake?.detail).toContain("It does not read what it is sent.");
  });
});

it("what a server does by itself is shown, with how far it is", async () => {
  const { scene, page, uri, open } = await behaving("indexes");
  await using _ = scene;
  await open();
  await page.until(({ languageServers: { fake } }) => fake?.detail === "Indexing: 4/10");
  expect(page.state.languageServers.fake).toEqual({
    id: "fake",
    name: "Fake",
    status: "working",
    detail: "Indexing: 4/10",
    progress: 0.4,
  });
  await page.call("language.symbols", { uri });
  await page.until(({ languageServers: { fake } }) => fake?.status === "ready");
});

it("a server that knows the whole workspace tells of files that nobody looks at", async () => {
  const { scene, page, open } = await behaving("wide");
  await using _ = scene;
  await open();
  await page.until(({ problems }) => problems[scene.uri("b.lua")] !== undefined);
  expect(await new Asking(scene).all()).toEqual({ "b.lua": ["0: unseen 0"] });
});

describe("edits that a server wants", () => {
  const ours = async () => {
    const around = await behaving("edits");
    await around.open();
    await around.page.until(({ languageServers: { fake } }) => fake?.status === "ready");
    const rename = (name: string) =>
      around.page.call("language.rename", { uri: around.uri, position: at(0, 1), name });
    const text = async () => (await around.page.call("text.attach", { name: around.uri })).text;
    return { ...around, rename, text };
  };

  it("are not made unless a person has asked for them", async () => {
    const { scene, page, uri, text, log } = await ours();
    await using _ = scene;
    await vi.waitUntil(async () => (await readFile(log, "utf8")).includes("answer"), 20_000);
    expect(await text()).toBe("hello\n");
    const range = { start: at(0, 0), end: at(0, 0) };
    const [action] = await page.call("language.actions", { uri, range });
    await page.call("language.act", { id: action?.id ?? "" });
    expect(await text()).toBe("ASKEDello\n");
    await expect(page.call("language.act", { id: "77" })).rejects.toThrow("not offered any more");
  });

  it("are refused as a whole where they do not fit, and where they leave the workspace", async () => {
    const { scene, rename, text } = await ours();
    await using _ = scene;
    await writeFile(join(scene.root, "outside.lua"), "hello\n");
    await expect(rename("outside")).rejects.toThrow("outside.lua is outside of the workspace");
    await expect(rename("version")).rejects.toThrow("a.lua has changed since the server looked");
    await expect(rename("overlap")).rejects.toThrow("a.lua has changed since the server looked");
    await expect(rename("beyond")).rejects.toThrow("a.lua has changed since the server looked");
    await expect(rename("overwrite")).rejects.toThrow("would overwrite a file");
    await expect(rename("create")).rejects.toThrow("There is something called a.lua already");
    expect(await text()).toBe("hello\n");
    expect(await readFile(join(scene.root, "outside.lua"), "utf8")).toBe("hello\n");
    expect(await readFile(scene.path("a.lua"), "utf8")).toBe("hello\n");
  });

  it("make files, so that undo takes them back", async () => {
    const { scene, page, rename, text } = await ours();
    await using _ = scene;
    expect(await rename("files")).toEqual({ files: 2, edits: 3, undo: null });
    expect(await readFile(scene.path("a.lua.made.lua"), "utf8")).toBe("NEW");
    expect(await text()).toBe("NEWello\n");
    await page.call("files.undo", {});
    await page.call("files.undo", {});
    await expect(readFile(scene.path("a.lua.made.lua"))).rejects.toThrow("ENOENT");
  });
});
