import { randomUUID } from "node:crypto";
import {
  type Agent,
  type Editor,
  type Outcome,
  type Proposal,
  type Review,
  toLf,
  type Withdrawal,
} from "@lockstep/editor";
import { filePath, type Uri } from "@lockstep/protocol";
import { editorCannot, editorFailed, editorTooSlow } from "../errors.js";
import type { Files } from "./files.js";
import { readText } from "./read-text.js";
import { eventualPath, isInFolders } from "./workspace.js";

const WITHDRAWAL_MS = 2_000;

/** How a proposal ended. Only a person accepts or rejects; all else withdraws it. */
export type Verdict =
  | { readonly kind: "accepted"; readonly text: string; readonly newFile: boolean }
  | { readonly kind: "rejected"; readonly reason?: string }
  | { readonly kind: "withdrawn" };

export interface Draft {
  readonly uri: Uri;
  /** The agent's name for the proposal: proposing again under it replaces the earlier one. */
  readonly label: string;
  readonly text: string;
}

/** The proposals of one agent. Each agent has a desk of its own, so none reaches another's. */
export class Desk {
  readonly #agent: Agent;
  readonly #editor: Editor;
  readonly #files: Files;
  readonly #report: (problem: unknown) => void;
  readonly #open = new Map<string, OpenProposal>();

  constructor(agent: Agent, editor: Editor, files: Files, report: (problem: unknown) => void) {
    this.#agent = agent;
    this.#editor = editor;
    this.#files = files;
    this.#report = report;
  }

  /** Shows a proposal and waits for the person, for as long as it takes. */
  async propose(draft: Draft, signal: AbortSignal): Promise<Verdict> {
    const { review } = this.#editor.abilities;
    if (!review) throw editorCannot("show a proposal");
    void this.withdraw(draft.label, "answered-elsewhere");
    // On the desk before the file is read: a withdrawal that overtakes the reading must find it.
    const proposal = new OpenProposal();
    this.#open.set(draft.label, proposal);
    const cancel = () => void this.#take(draft.label, proposal, "cancelled");
    signal.addEventListener("abort", cancel, { once: true });
    try {
      const { base, outside } = await this.#look(draft.uri);
      if (proposal.withdrawn) return { kind: "withdrawn" };
      const text = toLf(draft.text);
      const { uri, label } = draft;
      const shown = { id: randomUUID(), uri, label, base, text, outside };
      const outcome = await proposal.show(() => review(shown, { agent: this.#agent, signal }));
      return outcome ? verdictOf(outcome, shown, draft.text) : { kind: "withdrawn" };
    } finally {
      signal.removeEventListener("abort", cancel);
      if (this.#open.get(draft.label) === proposal) this.#open.delete(draft.label);
    }
  }

  /** Takes a proposal off the desk and out of the editor; false if there is none of that label. */
  async withdraw(label: string, why: Withdrawal): Promise<boolean> {
    const proposal = this.#open.get(label);
    if (!proposal) return false;
    await this.#take(label, proposal, why);
    return true;
  }

  /** Resolves to how many there were. */
  async withdrawAll(why: Withdrawal): Promise<number> {
    const all = [...this.#open];
    await Promise.all(all.map(([label, proposal]) => this.#take(label, proposal, why)));
    return all.length;
  }

  async #take(label: string, proposal: OpenProposal, why: Withdrawal): Promise<void> {
    if (this.#open.get(label) === proposal) this.#open.delete(label);
    // An editor that hangs must not hold up the agent, nor a server that stops.
    await within(WITHDRAWAL_MS, proposal.withdraw(why)).catch(this.#report);
  }

  /** The file as it is, and whether it is one of the workspace's. */
  async #look(uri: Uri): Promise<{ base: string | null; outside: boolean }> {
    const path = filePath(uri);
    if (path === null) return { base: null, outside: false };
    const realPath = await eventualPath(path, this.#files);
    const outside = !isInFolders(realPath, this.#editor.folders);
    return { base: await readText(this.#files, path), outside };
  }
}

/** A final text that is the file as it was changes nothing: that is a no, and agents take it so. */
function verdictOf(outcome: Outcome, shown: Proposal, asProposed: string): Verdict {
  const { base, text: proposed } = shown;
  if (outcome.kind === "rejected") return outcome;
  // An editor need not be written in TypeScript: what is not clearly a yes must not become one.
  if (outcome.kind !== "accepted" || typeof outcome.text !== "string") {
    throw editorFailed("show the proposal", "it answered neither yes nor no");
  }
  const final = toLf(outcome.text);
  // As it was: the agent gets back its own text, in which a lone CR may have a meaning of its own.
  const text = final === proposed ? asProposed.replaceAll("\r\n", "\n") : final;
  // Of a new file, nothing is left when every hunk is dropped.
  const nothingLeft = base === null && text === "" && proposed !== "";
  if (text === base || nothingLeft) return { kind: "rejected" };
  return { kind: "accepted", text, newFile: base === null };
}

/** Settles as the work does, or fails when it takes too long. */
function within(ms: number, work: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(editorTooSlow("withdraw the proposal", ms)), ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** From the agent's question until its answer, through a withdrawal at any moment in between. */
class OpenProposal {
  withdrawn = false;
  #review: Review | undefined;
  #onWithdrawn = () => {};

  /** Null when the proposal was withdrawn. */
  show(review: () => Review): Promise<Outcome | null> {
    return new Promise((resolve, reject) => {
      this.#onWithdrawn = () => resolve(null);
      const failed = (error: unknown) => reject(editorFailed("show the proposal", error));
      try {
        this.#review = review();
        this.#review.outcome.then(resolve, failed);
      } catch (error) {
        failed(error);
      }
    });
  }

  async withdraw(why: Withdrawal): Promise<void> {
    if (this.withdrawn) return;
    this.withdrawn = true;
    this.#onWithdrawn();
    await this.#review?.withdraw(why);
  }
}
