import { mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Editor, type Tab, withAbilities } from "@lockstep/editor";
import { fileUri } from "@lockstep/protocol";
import { describe, expect, it } from "vitest";
import { Scene } from "./scene.js";
import { WireAgent } from "./wire-agent.js";

/** A promise, and how to settle it from outside. */
function deferred<T>() {
  let settle: (value: T) => void = () => {};
  const promise = new Promise<T>((resolve) => {
    settle = resolve;
  });
  return { promise, settle };
}

const diff = (scene: Scene, name: string, text: string) => ({
  old_file_path: scene.path(name),
  new_file_contents: text,
  tab_name: "t",
});

describe("an editor that never withdraws a proposal", () => {
  it("holds up neither close_tab nor a server that stops", async () => {
    await using scene = await Scene.open();
    const shown = [deferred<void>(), deferred<void>()];
    let count = 0;
    const hung = withAbilities(scene.editor, (own) => ({
      ...own,
      review: () => {
        shown[count++]?.settle();
        return { outcome: new Promise(() => {}), withdraw: () => new Promise<string>(() => {}) };
      },
    }));
    const server = await scene.serve({}, hung);
    const agent = await scene.agent(server);
    const first = agent.call("openDiff", diff(scene, "a.ts", "x"));
    await shown[0]?.promise;
    expect((await agent.call("close_tab", { tab_name: "t" })).texts).toEqual(["TAB_CLOSED"]);
    expect((await first).texts[0]).toBe("DIFF_REJECTED");
    void agent.call("openDiff", diff(scene, "a.ts", "y"));
    await shown[1]?.promise;
    await server.stop();
    expect((await agent.closed).code).toBe(1001);
    expect(scene.problems).toHaveLength(2);
  });
});

describe("a person who answers late", () => {
  it("runs nothing for an agent that has left", async () => {
    await using scene = await Scene.open();
    const asked = deferred<void>();
    const answer = deferred<boolean>();
    const ran: string[] = [];
    const slow = withAbilities(scene.editor, (own) => ({
      ...own,
      confirm: () => {
        asked.settle();
        return answer.promise;
      },
      execute: async ({ code }) => {
        ran.push(code);
        return [];
      },
    }));
    const server = await scene.serve({}, slow);
    const agent = await scene.agent(server);
    void agent.call("executeCode", { code: "gone" });
    await asked.promise;
    agent.socket.terminate();
    await expect.poll(() => server.agents).toEqual([]);
    answer.settle(true);
    const next = await scene.agent(server);
    await next.call("executeCode", { code: "here" });
    expect(ran).toEqual(["here"]);
  });

  it("is not taken for a no when another call of the agent was cancelled", async () => {
    await using scene = await Scene.open();
    const asked = deferred<void>();
    const answer = deferred<boolean>();
    const slow = withAbilities(scene.editor, (own) => ({
      ...own,
      confirm: () => {
        asked.settle();
        return answer.promise;
      },
    }));
    const agent = await scene.agent(await scene.serve({}, slow));
    const params = { name: "executeCode", arguments: { code: "1" } };
    agent.send({ jsonrpc: "2.0", id: "cancelled", method: "tools/call", params });
    await asked.promise;
    const other = agent.call("executeCode", { code: "2" });
    agent.notify("notifications/cancelled", { requestId: "cancelled" });
    await agent.request("ping");
    answer.settle(true);
    expect(await other).toEqual({ isError: false, texts: ["ran 2"] });
  });
});

describe("proposals", () => {
  it("for a new file of which nothing is left are rejected", async () => {
    await using scene = await Scene.open();
    const agent = await scene.agent();
    const answer = agent.call("openDiff", diff(scene, "new.ts", "one\n"));
    const { id } = await scene.proposal();
    scene.editor.draft(id, "");
    scene.editor.accept(id);
    expect((await answer).texts).toEqual(["DIFF_REJECTED", "t"]);
  });

  it("that are accepted as they are come back as they were, a lone CR too", async () => {
    await using scene = await Scene.open();
    await scene.file("a.txt", "old\n");
    const agent = await scene.agent();
    const answer = agent.call("openDiff", diff(scene, "a.txt", "10%\r100%\r\ndone\n"));
    scene.editor.accept((await scene.proposal()).id);
    expect((await answer).texts).toEqual(["FILE_SAVED", "10%\r100%\ndone\n"]);
  });

  it("are not answered by a broken answer of the agent to something else", async () => {
    await using scene = await Scene.open();
    const agent = await scene.agent();
    const params = { name: "openDiff", arguments: diff(scene, "a.ts", "x") };
    agent.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
    const { id } = await scene.proposal();
    agent.send({ jsonrpc: "2.0", id: 1 });
    agent.send({ id: 1, result: {} });
    scene.editor.accept(id);
    const answers = await agent.next((message) => message.id === 1);
    expect(answers.result).toMatchObject({ content: [{ text: "FILE_SAVED" }, { text: "x" }] });
  });
});

describe("an agent that leaves before it listens", () => {
  it("leaves its mentions to the next", async () => {
    await using scene = await Scene.open();
    const uri = await scene.file("a.ts", "");
    const server = await scene.serve();
    const hasty = await scene.agent(server);
    scene.editor.mention(uri);
    hasty.socket.terminate();
    await expect.poll(() => server.agents).toEqual([]);
    const next = await scene.agent(server);
    expect(await next.notification("at_mentioned")).toEqual({ filePath: scene.path("a.ts") });
  });
});

it("abilities may be the methods of a class", async () => {
  await using scene = await Scene.open();
  class Methods {
    readonly #tabs: readonly Tab[] = [];
    async tabs() {
      return this.#tabs;
    }
  }
  const editor = {
    name: "Classy",
    folders: scene.editor.folders,
    abilities: new Methods(),
    subscribe: () => ({ [Symbol.dispose]() {} }),
    async [Symbol.asyncDispose]() {},
  };
  const agent = await scene.agent(await scene.serve({}, editor));
  expect(await agent.ask("getOpenEditors")).toEqual({ tabs: [] });
});

it("a host whose trace throws is told so, and nobody else notices", async () => {
  await using scene = await Scene.open();
  const stumble = () => {
    throw new Error("the log is full");
  };
  const agent = await scene.agent(await scene.serve({ trace: stumble }));
  expect((await agent.request("ping")).result).toEqual({});
  expect(scene.problems).toContainEqual(new Error("the log is full"));
});

describe("an agent that gives its name late", () => {
  it("is known by it, and served by its profile", async () => {
    await using scene = await Scene.open();
    const server = await scene.serve();
    await using agent = await WireAgent.open(server);
    await agent.request("getOpenFiles", {});
    const clientInfo = { name: "claude-code", title: "Claude Code" };
    await agent.request("initialize", { protocolVersion: "2025-11-25", clientInfo });
    expect(server.agents.map(({ name }) => name)).toEqual(["Claude Code"]);
    const answer = agent.call("openDiff", diff(scene, "new.ts", "one\n"));
    scene.editor.accept((await scene.proposal()).id);
    expect((await answer).texts).toEqual(["FILE_SAVED", "one\n\n"]);
  });
});

describe("paths with .. in them", () => {
  it("name the document that they lead to", async () => {
    await using scene = await Scene.open();
    await scene.file("src/a.ts", "");
    const uri = await scene.file("b.ts", "b");
    scene.editor.open(uri, "b");
    scene.editor.type(uri, "typed");
    const agent = await scene.agent();
    const winding = `${scene.folder}/src/../b.ts`;
    const dirty = await agent.ask("checkDocumentDirty", { filePath: winding });
    expect(dirty).toMatchObject({ success: true, isDirty: true });
    expect(
      await agent.call("getDiagnostics", { uri: `file://${scene.folder}/../x.ts` }),
    ).toMatchObject({
      isError: false,
    });
    void agent.call("openDiff", { ...diff(scene, "b.ts", "x"), old_file_path: winding });
    expect((await scene.proposal()).uri).toBe(uri);
  });
});

describe("with sharing off", () => {
  it("nobody is told what is open and unsaved, and unsaved work is safe all the same", async () => {
    await using scene = await Scene.open();
    const uri = await scene.file("a.ts", "saved");
    scene.editor.open(uri, "saved");
    scene.editor.type(uri, "unsaved");
    const options = { privacy: { sharing: false }, vault: { allowWrites: true } };
    const agent = await scene.agent(await scene.serve(options));
    const filePath = scene.path("a.ts");
    expect(await agent.ask("checkDocumentDirty", { filePath })).toMatchObject({ success: false });
    const guessed = await agent.call("openFile", { filePath, startText: "unsa" });
    expect(guessed.texts).toEqual(['Opened file, but text "unsa" not found']);
    const written = await agent.request("writeFile", { path: "a.ts", content: "lost" });
    expect(written.error).toMatchObject({ message: expect.stringContaining("unsaved changes") });
  });
});

describe("diagnostics_changed", () => {
  it("comes even if the editor cannot say what is wrong", async () => {
    await using scene = await Scene.open();
    const uri = await scene.file("a.ts", "");
    const mute = withAbilities(scene.editor, (own) => ({
      ...own,
      diagnostics: () => Promise.reject(new Error("indexing")),
    }));
    const agent = await scene.agent(await scene.serve({}, mute));
    scene.editor.report(uri, []);
    expect(await agent.notification("diagnostics_changed")).toEqual({
      uris: [`file://${scene.path("a.ts")}`],
    });
  });
});

describe("the start", () => {
  it("of two servers at one moment gives each a lease of its own", async () => {
    await using scene = await Scene.open();
    await (await scene.serve()).stop();
    const servers = await Promise.all([scene.serve(), scene.serve()]);
    const folder = join(scene.home, "state", "leases");
    const texts = (await readdir(folder)).map((name) => readFile(join(folder, name), "utf8"));
    const leased = (await Promise.all(texts)).map((text) => JSON.parse(text).port);
    expect(leased.sort()).toEqual(servers.map(({ port }) => port).sort());
  });

  it("announces folders that changed while the lock file was written", async () => {
    await using scene = await Scene.open();
    const other = join(scene.home, "other");
    await mkdir(other);
    const { editor } = scene;
    let reads = 0;
    const restless: Editor = {
      name: "Restless",
      abilities: editor.abilities,
      subscribe: (listener) => editor.subscribe(listener),
      get folders() {
        const now = editor.folders;
        // Once for the lease, then for the announcement: right after it has looked.
        if (++reads === 2) setImmediate(() => (editor.folders = [fileUri(other)]));
        return now;
      },
      async [Symbol.asyncDispose]() {},
    };
    const server = await scene.serve({}, restless);
    const folders = async () =>
      JSON.parse(await readFile(server.lockFiles[0] ?? "", "utf8")).workspaceFolders;
    await expect.poll(folders).toEqual([other]);
  });
});

it("a host's tool that throws tells the agent why", async () => {
  await using scene = await Scene.open();
  const { hostTool } = await import("../src/index.js");
  const z = await import("zod/mini");
  const broken = hostTool({
    contract: { name: "broken", description: "Fails", input: z.object({}) },
    call: () => Promise.reject(new Error("the printer is on fire")),
  });
  const agent = await scene.agent(await scene.serve({ tools: [broken] }));
  expect(await agent.call("broken")).toEqual({ isError: true, texts: ["the printer is on fire"] });
});
