import { randomUUID } from "node:crypto";
import { rebaseUpdates, type Update } from "@codemirror/collab";
import { ChangeSet, type ChangeSpec, Text } from "@codemirror/state";
import type { TextSnapshot, Update as WireUpdate } from "../contract/texts.js";
import { WorkbenchError } from "../errors.js";

/** Updates that are kept for windows that fall behind; one that is further back attaches anew. */
const HISTORY = 5_000;

/** Characters. What a window may make of a text by editing it. */
const LARGEST = 100 * 1024 * 1024;

/** Somebody changed the text: `changes` leads from the text before to the one now. */
export interface TextChange {
  /** The version before it. */
  readonly version: number;
  readonly updates: readonly WireUpdate[];
  readonly changes: ChangeSet;
  /** A window's name for itself, or one that the workbench gave. */
  readonly by: string;
}

export interface Resumed {
  readonly epoch: string;
  readonly version: number;
}

/**
 * A text that several windows edit at once. The workbench has the say: it puts updates in one order,
 * rebases those that were made on an older text, and tells all windows the result.
 */
export class SharedText {
  readonly epoch: string;
  #text: Text;
  #history: Update[] = [];
  #version: number;
  readonly #listeners = new Set<(change: TextChange) => void>();
  #string: string | null = null;

  /** `resumed` goes on where an earlier process ended, so that windows need not start anew. */
  constructor(text: Text | string, resumed?: Resumed) {
    this.#text = typeof text === "string" ? Text.of(text.split("\n")) : text;
    this.epoch = resumed?.epoch ?? randomUUID();
    this.#version = resumed?.version ?? 0;
  }

  get version(): number {
    return this.#version;
  }

  get text(): Text {
    return this.#text;
  }

  /** The whole text, made once for each version. */
  toString(): string {
    this.#string ??= this.#text.toString();
    return this.#string;
  }

  get snapshot(): TextSnapshot {
    return { epoch: this.epoch, version: this.#version, text: this.toString() };
  }

  /** Takes in what a window did at `version`. False if that is too long ago, or another epoch. */
  receive(epoch: string, version: number, updates: readonly WireUpdate[]): boolean {
    const missed = this.#since(epoch, version);
    if (!missed) return false;
    const made: readonly Update[] = updates.map(fromWire);
    // One after the other, as windows hear them: over all at once, an edit may land elsewhere.
    this.#apply(missed.reduce((edits, one) => rebaseUpdates(edits, [one]), made));
    return true;
  }

  /** A change by the workbench itself, or by whoever it acts for. */
  edit(changes: ChangeSpec, by = "workbench"): void {
    this.#apply([{ clientID: by, changes: ChangeSet.of(changes, this.#text.length) }]);
  }

  /** What a window has missed; null if nobody knows any more. */
  since(epoch: string, version: number): readonly WireUpdate[] | null {
    return this.#since(epoch, version)?.map(toWire) ?? null;
  }

  subscribe(listener: (change: TextChange) => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  #since(epoch: string, version: number): readonly Update[] | null {
    const missed = this.#version - version;
    if (epoch !== this.epoch || missed < 0 || missed > this.#history.length) return null;
    return missed === 0 ? [] : this.#history.slice(-missed);
  }

  /** All of them or, if one does not fit the text, none. */
  #apply(updates: readonly Update[]): void {
    const [first, ...rest] = updates;
    if (!first) return;
    if (first.changes.length !== this.#text.length) throw misfit();
    let { changes } = first;
    for (const update of rest) {
      if (update.changes.length !== changes.newLength) throw misfit();
      changes = changes.compose(update.changes);
    }
    if (changes.newLength > LARGEST) throw new WorkbenchError("The text would get too large.");
    const version = this.#version;
    this.#text = changes.apply(this.#text);
    this.#string = null;
    this.#version += updates.length;
    this.#history = [...this.#history, ...updates].slice(-HISTORY);
    const change = { version, updates: updates.map(toWire), changes, by: first.clientID };
    for (const listener of [...this.#listeners]) listener(change);
  }
}

const misfit = () =>
  new WorkbenchError("These changes were made to another text: reload the page.");

function fromWire({ clientID, changes }: WireUpdate): Update {
  try {
    return { clientID, changes: ChangeSet.fromJSON(changes) };
  } catch {
    throw misfit();
  }
}

function toWire({ clientID, changes }: Update): WireUpdate {
  return { clientID, changes: changes.toJSON() };
}
