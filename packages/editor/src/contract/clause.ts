import assert from "node:assert/strict";
import type { Uri } from "@lockstep/protocol";
import type { Abilities, Call, Change, Editor, Proposal } from "../port.js";
import type { Subject } from "./subject.js";

/** One sentence of the contract, and the check that an editor keeps it. */
export interface Clause {
  readonly sentence: string;
  /** An editor without these has nothing to keep here. */
  readonly needs: readonly (keyof Abilities)[];
  readonly check: (subject: Subject) => Promise<void>;
}

/** Somebody who asks, and waits for the answer. */
export const call: Call = {
  agent: { id: "contract", name: "The contract suite" },
  signal: new AbortController().signal,
};

/** The ability of that name; a clause that uses it lists it in `needs`. */
export function ability<Name extends keyof Abilities>(
  editor: Editor,
  name: Name,
): NonNullable<Abilities[Name]> {
  const found = editor.abilities[name];
  if (!found) throw new Error(`The editor has no ability "${name}"`);
  return found;
}

/** Resolves at the next change of that kind: ask for it first, then do what should cause it. */
export function nextChange<Kind extends Change["kind"]>(
  editor: Editor,
  kind: Kind,
): Promise<Extract<Change, { kind: Kind }>> {
  return new Promise((resolve) => {
    const subscription = editor.subscribe((change) => {
      if (change.kind !== kind) return;
      subscription[Symbol.dispose]();
      resolve(change as Extract<Change, { kind: Kind }>);
    });
  });
}

/** It fails, and says why: an agent can do nothing about an "Internal error". */
export async function failsWithReason(answer: Promise<unknown>): Promise<void> {
  await assert.rejects(answer, (error: unknown) => {
    assert.ok(error instanceof Error);
    assert.notEqual(error.message.trim(), "");
    assert.notEqual(error.message, "Internal error");
    return true;
  });
}

let proposals = 0;

export function proposalFor(uri: Uri, base: string | null, text: string): Proposal {
  return {
    id: `proposal-${++proposals}`,
    uri,
    label: `Proposal ${proposals}`,
    base,
    text,
    outside: false,
  };
}
