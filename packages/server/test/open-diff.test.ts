import { readFile, stat, symlink } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { Scene } from "./scene.js";
import type { WireAgent } from "./wire-agent.js";

function propose(
  agent: WireAgent,
  path: string,
  text: string,
  tab = "✻ [Claude Code] a.txt (e0b2cb) ⧉",
) {
  return agent.call("openDiff", {
    old_file_path: path,
    new_file_path: path,
    new_file_contents: text,
    tab_name: tab,
  });
}

describe("openDiff", () => {
  it("answers an accepted proposal with FILE_SAVED and the full text, and writes nothing", async () => {
    await using scene = await Scene.open();
    await scene.file("a.txt", "one\ntwo\n");
    const agent = await scene.agent();
    const before = await stat(scene.path("a.txt"));
    const answer = propose(agent, scene.path("a.txt"), "ONE\ntwo\n");
    const proposal = await scene.proposal();
    expect(proposal).toMatchObject({ base: "one\ntwo\n", text: "ONE\ntwo\n" });
    scene.editor.accept(proposal.id);
    expect(await answer).toEqual({ texts: ["FILE_SAVED", "ONE\ntwo\n"], isError: false });
    expect(await readFile(scene.path("a.txt"), "utf8")).toBe("one\ntwo\n");
    expect((await stat(scene.path("a.txt"))).mtimeMs).toBe(before.mtimeMs);
  });

  it("answers with what the person made of the text", async () => {
    await using scene = await Scene.open();
    await scene.file("a.txt", "one\n");
    const agent = await scene.agent();
    const answer = propose(agent, scene.path("a.txt"), "ONE\n");
    const { id } = await scene.proposal();
    scene.editor.draft(id, "ONE!\n");
    scene.editor.accept(id);
    expect((await answer).texts).toEqual(["FILE_SAVED", "ONE!\n"]);
  });

  it("answers a rejected one with DIFF_REJECTED, the tab's name and the reason", async () => {
    await using scene = await Scene.open();
    await scene.file("a.txt", "one\n");
    const agent = await scene.agent();
    for (const [reason, more] of [[undefined, []] as const, ["no", ["no"]] as const]) {
      const answer = propose(agent, scene.path("a.txt"), "ONE\n", "tab");
      scene.editor.reject((await scene.proposal()).id, reason);
      expect((await answer).texts).toEqual(["DIFF_REJECTED", "tab", ...more]);
    }
  });

  it("takes an accepted text that equals the file for a rejection, whatever its line ends", async () => {
    await using scene = await Scene.open();
    await scene.file("a.txt", "one\r\ntwo\r\n");
    const agent = await scene.agent();
    const answer = propose(agent, scene.path("a.txt"), "ONE\ntwo\n", "tab");
    const { id, base } = await scene.proposal();
    expect(base).toBe("one\ntwo\n");
    scene.editor.draft(id, "one\ntwo\n");
    scene.editor.accept(id);
    expect((await answer).texts).toEqual(["DIFF_REJECTED", "tab"]);
  });

  it("answers in LF, and lets a file be emptied", async () => {
    await using scene = await Scene.open();
    await scene.file("a.txt", "one\r\n");
    const agent = await scene.agent();
    for (const [proposed, final] of [["a\r\nb\r\n", "a\nb\n"] as const, ["", ""] as const]) {
      const answer = propose(agent, scene.path("a.txt"), proposed);
      scene.editor.accept((await scene.proposal()).id);
      expect((await answer).texts).toEqual(["FILE_SAVED", final]);
    }
  });

  it("has no base for a new file, in a new folder too", async () => {
    await using scene = await Scene.open();
    const agent = await scene.agent();
    const answer = propose(agent, scene.path("new/a.txt"), "hello\n");
    const { id, base } = await scene.proposal();
    expect(base).toBeNull();
    scene.editor.accept(id);
    expect((await answer).texts).toEqual(["FILE_SAVED", "hello\n"]);
    await expect(stat(scene.path("new"))).rejects.toThrow();
  });

  it("sends Claude Code one more newline for a new file, because it drops one there", async () => {
    await using scene = await Scene.open();
    await scene.file("old.txt", "old\n");
    const agent = await scene.agent(undefined, "claude-code");
    const cases = [
      ["new.txt", "hello\n", "hello\n\n"],
      ["new.txt", "hello", "hello"],
      ["old.txt", "hello\n", "hello\n"],
    ] as const;
    for (const [name, proposed, sent] of cases) {
      const answer = propose(agent, scene.path(name), proposed);
      scene.editor.accept((await scene.proposal()).id);
      expect((await answer).texts).toEqual(["FILE_SAVED", sent]);
    }
  });

  it("takes JetBrains' form without new_file_path", async () => {
    await using scene = await Scene.open();
    await scene.file("a.txt", "one\n");
    const agent = await scene.agent();
    const args = { old_file_path: scene.path("a.txt"), new_file_contents: "1\n", tab_name: "t" };
    const answer = agent.call("openDiff", args);
    scene.editor.accept((await scene.proposal()).id);
    expect((await answer).texts).toEqual(["FILE_SAVED", "1\n"]);
  });

  it("shows several proposals for one file, each answered by itself", async () => {
    await using scene = await Scene.open();
    await scene.file("a.txt", "one\n");
    const agent = await scene.agent();
    const first = propose(agent, scene.path("a.txt"), "1\n", "first");
    const { id } = await scene.proposal();
    const second = propose(agent, scene.path("a.txt"), "2\n", "second");
    scene.editor.accept((await scene.proposal()).id);
    expect((await second).texts).toEqual(["FILE_SAVED", "2\n"]);
    scene.editor.reject(id);
    expect((await first).texts).toEqual(["DIFF_REJECTED", "first"]);
  });

  it("replaces an earlier proposal of the same name", async () => {
    await using scene = await Scene.open();
    await scene.file("a.txt", "one\n");
    const agent = await scene.agent();
    const first = propose(agent, scene.path("a.txt"), "1\n", "tab");
    await scene.proposal();
    const second = propose(agent, scene.path("a.txt"), "2\n", "tab");
    expect((await first).texts).toEqual(["DIFF_REJECTED", "tab"]);
    scene.editor.accept((await scene.proposal()).id);
    expect((await second).texts).toEqual(["FILE_SAVED", "2\n"]);
  });

  it("fails as a tool, not as a no, where the editor cannot show it", async () => {
    await using scene = await Scene.open();
    await scene.file("folder/a.txt", "");
    const agent = await scene.agent();
    const folder = await propose(agent, scene.path("folder"), "text");
    expect(folder).toMatchObject({ isError: true, texts: [expect.stringContaining("not a file")] });
    const relative = await propose(agent, "a.txt", "text");
    expect(relative).toMatchObject({ isError: true, texts: ["Not an absolute path: a.txt"] });
  });

  it("withdraws a cancelled proposal and leaves the request unanswered", async () => {
    await using scene = await Scene.open();
    await scene.file("a.txt", "one\n");
    const agent = await scene.agent();
    agent.send({
      jsonrpc: "2.0",
      id: "the diff",
      method: "tools/call",
      params: {
        name: "openDiff",
        arguments: { old_file_path: scene.path("a.txt"), new_file_contents: "1\n", tab_name: "t" },
      },
    });
    await scene.proposal();
    agent.notify("notifications/cancelled", { requestId: "the diff" });
    expect((await scene.sight("withdrawn")).why).toBe("cancelled");
    await agent.request("ping");
    expect(agent.received.filter((message) => message.id === "the diff")).toEqual([]);
  });

  it("withdraws the proposals of an agent that left, and of a server that stops, unanswered", async () => {
    await using scene = await Scene.open();
    await scene.file("a.txt", "one\n");
    const server = await scene.serve();
    const leaving = await scene.agent(server);
    void propose(leaving, scene.path("a.txt"), "1\n");
    await scene.proposal();
    leaving.socket.terminate();
    expect((await scene.sight("withdrawn")).why).toBe("disconnected");

    const staying = await scene.agent(server);
    void propose(staying, scene.path("a.txt"), "2\n");
    await scene.proposal();
    staying.received.length = 0;
    await server.stop();
    expect((await scene.sight("withdrawn")).why).toBe("stopping");
    expect((await staying.closed).code).toBe(1001);
    expect(staying.received).toEqual([]);
  });
});

describe("close_tab and closeAllDiffTabs", () => {
  it("withdraw the agent's own proposals; the held openDiff is answered as rejected", async () => {
    await using scene = await Scene.open();
    await scene.file("a.txt", "one\n");
    const agent = await scene.agent();
    const closed = propose(agent, scene.path("a.txt"), "1\n", "closed");
    await scene.proposal();
    expect((await agent.call("close_tab", { tab_name: "closed" })).texts).toEqual(["TAB_CLOSED"]);
    expect((await closed).texts).toEqual(["DIFF_REJECTED", "closed"]);
    expect((await scene.sight("withdrawn")).why).toBe("answered-elsewhere");
    const both = ["x", "y"].map((tab) => propose(agent, scene.path("a.txt"), tab, tab));
    await scene.proposal();
    await scene.proposal();
    expect((await agent.call("closeAllDiffTabs", {})).texts).toEqual(["CLOSED_2_DIFF_TABS"]);
    for (const answer of both) expect((await answer).texts[0]).toBe("DIFF_REJECTED");
    expect(scene.editor.proposals).toEqual([]);
  });

  it("never reach another agent's proposals", async () => {
    await using scene = await Scene.open();
    await scene.file("a.txt", "one\n");
    const first = await scene.agent();
    const second = await scene.agent();
    const answer = propose(first, scene.path("a.txt"), "1\n", "mine");
    const { id } = await scene.proposal();
    expect((await second.call("close_tab", { tab_name: "mine" })).texts).toEqual(["TAB_CLOSED"]);
    expect((await second.call("closeAllDiffTabs")).texts).toEqual(["CLOSED_0_DIFF_TABS"]);
    expect(scene.editor.proposals).toHaveLength(1);
    scene.editor.accept(id);
    expect((await answer).texts).toEqual(["FILE_SAVED", "1\n"]);
  });

  it("close a withdrawal that overtakes the reading of the file", async () => {
    await using scene = await Scene.open();
    await scene.file("a.txt", "one\n");
    const agent = await scene.agent();
    const answer = propose(agent, scene.path("a.txt"), "1\n", "tab");
    const closing = agent.call("close_tab", { tab_name: "tab" });
    expect((await answer).texts).toEqual(["DIFF_REJECTED", "tab"]);
    expect((await closing).texts).toEqual(["TAB_CLOSED"]);
    expect(scene.editor.proposals).toEqual([]);
  });

  it("tell the editor that a turn began", async () => {
    await using scene = await Scene.open();
    const agent = await scene.agent();
    expect((await scene.sight("agent")).event.kind).toBe("connected");
    await agent.call("closeAllDiffTabs");
    expect((await scene.sight("agent")).event).toMatchObject({
      kind: "turn",
      agent: { name: "test-agent" },
    });
  });

  it("close an ordinary tab by label or path, but never one with unsaved work", async () => {
    await using scene = await Scene.open();
    const clean = await scene.file("clean.txt", "");
    const other = await scene.file("other.txt", "");
    const dirty = await scene.file("dirty.txt", "");
    const agent = await scene.agent();
    for (const uri of [clean, other, dirty]) scene.editor.open(uri, "");
    scene.editor.type(dirty, "precious");
    const close = (tab_name: string) => agent.call("close_tab", { tab_name });
    expect((await close("clean.txt")).texts).toEqual(["TAB_CLOSED"]);
    expect((await close(scene.path("other.txt"))).texts).toEqual(["TAB_CLOSED"]);
    expect(await close("dirty.txt")).toMatchObject({ isError: true });
    expect((await close("nothing of that name")).texts).toEqual(["TAB_CLOSED"]);
    const { tabs } = (await agent.ask("getOpenEditors")) as { tabs: { label: string }[] };
    expect(tabs.map(({ label }) => label)).toEqual(["dirty.txt"]);
  });
});

it("a proposal says whether its file lies outside of the workspace, through links too", async () => {
  await using scene = await Scene.open();
  await scene.file("a.txt", "one\n");
  await symlink(scene.home, scene.path("up"));
  const agent = await scene.agent();
  const cases = { "a.txt": false, "new/deep.txt": false, "../out.txt": true, "up/out.txt": true };
  for (const [name, outside] of Object.entries(cases)) {
    void propose(agent, scene.path(name), "text");
    expect((await scene.proposal()).outside, name).toBe(outside);
  }
});
