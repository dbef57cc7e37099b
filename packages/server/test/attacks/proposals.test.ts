import { readFile, writeFile } from "node:fs/promises";
import { withAbilities } from "@lockstep/editor";
import { describe, expect, it } from "vitest";
import { Scene } from "../scene.js";
import type { WireAgent } from "../wire-agent.js";
import { request } from "./raw-agent.js";

const diff = (path: string, text: string, tab_name = "tab") => ({
  name: "openDiff",
  arguments: { old_file_path: path, new_file_contents: text, tab_name },
});

/** Words that an agent takes for leave to write. */
const YES = /FILE_SAVED|TAB_CLOSED/;

const said = (agent: WireAgent) => JSON.stringify(agent.received);

describe("a yes that nobody gave", () => {
  it("is not made of an editor that fails while a proposal is open", async () => {
    await using scene = await Scene.open();
    await scene.file("a.txt", "one\n");
    const outcomes = [
      () => Promise.reject(new Error("the window is gone")),
      () => Promise.resolve({ kind: "neither", text: "1\n" } as never),
      () => Promise.resolve({ kind: "accepted" } as never),
      () => Promise.resolve(undefined as never),
    ];
    for (const outcome of outcomes) {
      const failing = withAbilities(scene.editor, (own) => ({
        ...own,
        review: () => ({ outcome: outcome(), withdraw: async () => "" }),
      }));
      const agent = await scene.agent(await scene.serve({}, failing));
      const reply = await agent.request("tools/call", diff(scene.path("a.txt"), "1\n"));
      expect(JSON.stringify(reply)).not.toMatch(YES);
    }
    expect(await readFile(scene.path("a.txt"), "utf8")).toBe("one\n");
  });

  it("is not made of a server that stops, an agent that leaves or a request that is cancelled", async () => {
    await using scene = await Scene.open();
    await scene.file("a.txt", "one\n");
    const server = await scene.serve();
    const agent = await scene.agent(server);
    agent.send(request("cancelled", "tools/call", diff(scene.path("a.txt"), "1\n", "first")));
    const { id } = await scene.proposal();
    agent.notify("notifications/cancelled", { requestId: "cancelled" });
    await scene.sight("withdrawn");
    // Too late: there is nothing left to accept.
    expect(() => scene.editor.accept(id)).toThrow();
    agent.send(request("stopped", "tools/call", diff(scene.path("a.txt"), "1\n", "second")));
    await scene.proposal();
    await server.stop();
    await agent.closed;
    expect(said(agent)).not.toMatch(YES);
    // Nor a no: that is the person's, too.
    expect(said(agent)).not.toMatch(/"id":"(cancelled|stopped)"/);
  });
});

it("an editor that cannot show that an agent left is rid of its proposals all the same", async () => {
  await using scene = await Scene.open();
  await scene.file("a.txt", "one\n");
  const clumsy = withAbilities(scene.editor, (own) => ({
    ...own,
    activity: () => {
      throw new Error("the list of agents is gone");
    },
  }));
  const agent = await scene.agent(await scene.serve({}, clumsy));
  agent.send(request("left", "tools/call", diff(scene.path("a.txt"), "1\n")));
  await scene.proposal();
  agent.socket.terminate();
  expect((await scene.sight("withdrawn")).why).toBe("disconnected");
  // It came, and it left.
  expect(scene.problems).toHaveLength(2);
});

describe("a file that changes under an open proposal", () => {
  it("is not overwritten by the server, which never writes what is proposed", async () => {
    await using scene = await Scene.open();
    await scene.file("a.txt", "one\n");
    const agent = await scene.agent();
    const answer = agent.request("tools/call", diff(scene.path("a.txt"), "ONE\n"));
    const { id } = await scene.proposal();
    await writeFile(scene.path("a.txt"), "somebody else's\n");
    scene.editor.accept(id);
    await answer;
    expect(await readFile(scene.path("a.txt"), "utf8")).toBe("somebody else's\n");
  });
});

describe("another agent's proposal", () => {
  it("cannot be cancelled, replaced or answered, not even under the same id and name", async () => {
    await using scene = await Scene.open();
    await scene.file("a.txt", "one\n");
    const first = await scene.agent(undefined, "same");
    const second = await scene.agent(undefined, "same");
    first.send(request("same", "tools/call", diff(scene.path("a.txt"), "1\n")));
    const { id } = await scene.proposal();
    second.notify("notifications/cancelled", { requestId: "same" });
    second.send({ jsonrpc: "2.0", id: "same", result: { content: [{ text: "FILE_SAVED" }] } });
    second.send({ jsonrpc: "2.0", id, result: { kind: "accepted", text: "" } });
    second.send(request("same", "tools/call", diff(scene.path("a.txt"), "2\n")));
    await scene.proposal();
    await second.call("closeAllDiffTabs");
    second.socket.terminate();
    await second.closed;
    await first.request("ping");
    expect(scene.editor.proposals.map((proposal) => proposal.id)).toEqual([id]);
    expect(said(first)).not.toMatch(/FILE_SAVED|DIFF_REJECTED/);
    scene.editor.reject(id);
    expect(await first.next((message) => message.id === "same")).toMatchObject({
      result: { content: [{ text: "DIFF_REJECTED" }, { text: "tab" }] },
    });
  });
});
