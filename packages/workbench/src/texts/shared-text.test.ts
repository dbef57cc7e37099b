import { collab, getSyncedVersion, receiveUpdates, sendableUpdates } from "@codemirror/collab";
import { ChangeSet, EditorState } from "@codemirror/state";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Update } from "../contract/texts.js";
import { SharedText } from "./shared-text.js";

/** A window on a shared text, whose messages arrive when the test says so. */
class Pane {
  #state: EditorState;
  readonly #shared: SharedText;
  readonly #inbox: { version: number; updates: readonly Update[] }[] = [];

  constructor(shared: SharedText, clientID: string) {
    this.#shared = shared;
    const { version, text } = shared.snapshot;
    this.#state = EditorState.create({
      doc: text,
      extensions: collab({ startVersion: version, clientID }),
    });
    shared.subscribe(({ version: from, updates }) => this.#inbox.push({ version: from, updates }));
  }

  get text(): string {
    return this.#state.doc.toString();
  }

  type(at: number, remove: number, insert: string): void {
    const { length } = this.#state.doc;
    const from = Math.min(at, length);
    const to = Math.min(from + remove, length);
    this.#state = this.#state.update({ changes: { from, to, insert } }).state;
  }

  push(): void {
    const updates = sendableUpdates(this.#state).map(({ clientID, changes }) => ({
      clientID,
      changes: changes.toJSON(),
    }));
    if (updates.length === 0) return;
    this.#shared.receive(this.#shared.epoch, getSyncedVersion(this.#state), updates);
    // What was sent must not be sent again, so its confirmation is taken in before the next push.
    this.hear();
  }

  hear(): void {
    for (const { version, updates } of this.#inbox.splice(0)) {
      if (version + updates.length <= getSyncedVersion(this.#state)) continue;
      for (const { clientID, changes } of updates) {
        const heard = { clientID, changes: ChangeSet.fromJSON(changes) };
        this.#state = receiveUpdates(this.#state, [heard]).state;
      }
    }
  }
}

const step = fc.record({
  pane: fc.nat(2),
  act: fc.constantFrom("type" as const, "type" as const, "push" as const, "hear" as const),
  at: fc.nat(20),
  remove: fc.nat(3),
  insert: fc.constantFrom("", "a", "bb", "\n", "😀"),
});

describe("a shared text", () => {
  it("is the same in all windows when they have heard each other, whoever typed when", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const shared = new SharedText("one\ntwo\n");
        const panes = ["a", "b", "c"].map((name) => new Pane(shared, name));
        for (const { pane, act, at, remove, insert } of steps) {
          if (act === "type") panes[pane]?.type(at, remove, insert);
          else panes[pane]?.[act]();
        }
        for (const pane of panes) pane.push();
        for (const pane of panes) pane.hear();
        expect(panes.map(({ text }) => text)).toEqual(panes.map(() => shared.toString()));
      }),
      { numRuns: 1_000 },
    );
  });

  it("tells a window that was away what it has missed", () => {
    const shared = new SharedText("a");
    shared.edit({ from: 1, insert: "b" });
    shared.edit({ from: 2, insert: "c" });
    const missed = shared.since(shared.epoch, 1)?.map(({ changes }) => ChangeSet.fromJSON(changes));
    expect(missed).toHaveLength(1);
    expect(shared.since(shared.epoch, 2)).toEqual([]);
    expect(shared.toString()).toBe("abc");
  });

  it("knows no version of another life, none that is to come, and none that is long past", () => {
    const shared = new SharedText("", { epoch: "second", version: 7 });
    expect(shared.since("first", 7)).toBeNull();
    expect(shared.since("second", 8)).toBeNull();
    expect(shared.since("second", 6)).toBeNull();
    expect(shared.receive("first", 7, [])).toBe(false);
    expect(shared.snapshot).toEqual({ epoch: "second", version: 7, text: "" });
  });

  it.each([
    ["changes of a longer text", [[5, "x"]]],
    ["changes that are no changes", ["nonsense"]],
    ["negative lengths", [[-4, "x"]]],
    ["nothing of the kind", [{ __proto__: null }]],
  ])("refuses %s and stays as it was", (_, changes) => {
    const shared = new SharedText("abc");
    const push = () => shared.receive(shared.epoch, 0, [{ clientID: "x", changes }]);
    expect(push).toThrow("another text");
    expect(shared.snapshot).toMatchObject({ version: 0, text: "abc" });
  });

  it("takes several updates as a whole or not at all", () => {
    const shared = new SharedText("abc");
    const good = ChangeSet.of({ from: 0, insert: "x" }, 3).toJSON();
    const push = () =>
      shared.receive(shared.epoch, 0, [
        { clientID: "x", changes: good },
        { clientID: "x", changes: good },
      ]);
    expect(push).toThrow("another text");
    expect(shared.toString()).toBe("abc");
  });
});
