import { type Abilities, type Call, InMemoryEditor, withAbilities } from "@lockstep/editor";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Gate } from "../gate/gate.js";
import { Session } from "./session.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const files = {
  look: async () => null,
  read: async () => null,
  entries: async () => [],
  write: async () => {},
};

function sessionWith(abilities: Abilities): Session {
  const editor = withAbilities(new InMemoryEditor(), () => abilities);
  const gate = new Gate(editor, files, {}, () => {});
  return new Session({ id: "1", name: "agent" }, gate, files, () => {});
}

/** An ability that never answers, and the call it was handed. */
function hanging() {
  const calls: Call[] = [];
  const ability = (_input: unknown, call: Call) => {
    calls.push(call);
    return new Promise<never>(() => {});
  };
  return { calls, ability };
}

describe("a question to the editor", () => {
  it("fails with a sentence after ten seconds, and the editor is told", async () => {
    const { calls, ability } = hanging();
    const answer = sessionWith({ tabs: ability }).ask("tabs", undefined);
    const failure = expect(answer).rejects.toThrow("The editor did not list its tabs within 10 s.");
    await vi.advanceTimersByTimeAsync(9_999);
    expect(calls[0]?.signal.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await failure;
    expect(calls[0]?.signal.aborted).toBe(true);
  });

  it("waits for as long as it takes if a person has to answer it", async () => {
    const { calls, ability } = hanging();
    void sessionWith({ confirm: ability }).ask("confirm", { title: "", detail: "" });
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(calls[0]?.signal.aborted).toBe(false);
  });

  it("ends for the editor when the agent cancels it, or leaves", async () => {
    for (const cancels of [true, false]) {
      const { calls, ability } = hanging();
      const session = sessionWith({ tabs: ability });
      const scope = new AbortController();
      session.ask("tabs", undefined, cancels ? scope : undefined).catch(() => {});
      await vi.advanceTimersByTimeAsync(0);
      expect(calls[0]?.signal.aborted).toBe(false);
      if (cancels) scope.abort();
      else await session.end("disconnected");
      expect(calls[0]?.signal.aborted).toBe(true);
    }
  });

  it("says what an editor without the ability cannot do", async () => {
    await expect(sessionWith({}).ask("tabs", undefined)).rejects.toThrow(
      "This editor cannot list its tabs.",
    );
  });
});
