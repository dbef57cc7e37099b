import type { Uri } from "@lockstep/protocol";

/** 0-based line and UTF-16 column, in a text whose lines end with LF. */
export interface Position {
  readonly line: number;
  readonly character: number;
}

/** Half-open, and start is never after end. */
export interface Range {
  readonly start: Position;
  readonly end: Position;
}

/** Who is asking. One connection is one agent; a reconnected one is a new agent. */
export interface Agent {
  readonly id: string;
  /** As it introduced itself, such as "Claude Code"; for people, never for decisions. */
  readonly name: string;
}

export interface Call {
  readonly agent: Agent;
  /** Fires when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

export type Ask<Input, Output> = (input: Input, call: Call) => Promise<Output>;

/**
 * What an editor can do and tell, in its own words. It knows no wire, no agent's quirks and no tool
 * names: implement this once, and every agent that Lockstep speaks to can use the editor.
 *
 * Calls may overlap. The engine bounds each in time, but for `review`, `confirm` and `close`, which may
 * wait for a person, and `execute`, which takes what the code takes.
 */
export interface Editor extends AsyncDisposable {
  /** What agents show as the editor's name. */
  readonly name: string;
  /** Absolute, symlink-free, the main one first. */
  readonly folders: readonly Uri[];
  /** Replaced as a whole when it changes; then an "abilities" change is told. */
  readonly abilities: Abilities;
  /** Changes come in order, and a question asked after one is answered with at least that state. */
  subscribe(listener: (change: Change) => void): Disposable;
}

/**
 * *That* something changed: the engine asks what when the agent is ready to hear it. "consents": the
 * person took back a yes that was meant to last, so the engine asks again before it relies on one.
 */
export type Change =
  | { readonly kind: "selection" | "tabs" | "folders" | "abilities" | "consents" }
  | { readonly kind: "diagnostics"; readonly uris: readonly Uri[] }
  | Mention;

/** The person points the agent to a file or to some of its lines. The one change with a payload. */
export interface Mention {
  readonly kind: "mention";
  readonly uri: Uri;
  /** 0-based, both included. */
  readonly lines?: { readonly first: number; readonly last: number };
}

/** A function that is there is an ability; `{ ...these, ...those }` composes two editors' abilities. */
export type Abilities = Partial<{
  /** Of the active document; null when there is none. */
  selection: Ask<void, Selection | null>;
  tabs: Ask<void, readonly Tab[]>;
  /** The live text of an open document, unsaved edits included; null when it is not open. */
  text: Ask<{ readonly uri: Uri }, OpenText | null>;
  /** Shows a document. Without `focus` the person's active document stays active. */
  open: Ask<OpenRequest, void>;
  /** "kept" when unsaved work would be lost and the person did not let it go. */
  close: Ask<{ readonly uri: Uri }, "closed" | "kept" | "absent">;
  /** Writes an open document to its file; a clean one is left as it is. Fails with the reason. */
  save: Ask<{ readonly uri: Uri }, void>;
  /** Formats a document by the project's rules, open or not. Fails with the reason. */
  format: Ask<{ readonly uri: Uri }, void>;
  /** One entry for `uri`, an empty one if it is clean; without `uri`, one per file with problems. */
  diagnostics: Ask<DiagnosticsRequest, readonly FileDiagnostics[]>;
  /** Runs code in the kernel of the active notebook; its state lasts from call to call. */
  execute: Ask<{ readonly code: string }, readonly Output[]>;
  /** Puts a yes-or-no question to the person. Where it is absent the answer is no. */
  confirm: Ask<Question, boolean>;
  review: (proposal: Proposal, call: Call) => Review;
  /** Something to show about an agent. Nothing waits for it. */
  activity: (event: AgentEvent) => void;
}>;

export interface Selection {
  readonly uri: Uri;
  /** Empty where the cursor stands and nothing is selected. */
  readonly range: Range;
  readonly text: string;
  /** In a notebook: the cell whose lines `range` counts. */
  readonly cell?: Cell | undefined;
}

/** A cell of a notebook: its place from 0 on, and the id that the file gives it, if it does. */
export interface Cell {
  readonly index: number;
  readonly id: string | null;
}

export interface Tab {
  readonly uri: Uri;
  /** What the person reads on the tab. Not unique. */
  readonly label: string;
  readonly languageId: string;
  readonly lineCount: number;
  /** At most one tab is. */
  readonly active: boolean;
  readonly dirty: boolean;
  readonly pinned?: boolean;
  readonly preview?: boolean;
  /** Where the cursor is; absent for a tab that is not in sight. */
  readonly selection?: Range & { readonly reversed: boolean };
}

export interface OpenText {
  readonly text: string;
  readonly dirty: boolean;
}

export interface OpenRequest {
  readonly uri: Uri;
  /** What to select and bring into sight. */
  readonly range?: Range;
  readonly focus: boolean;
  /** A tab that the next opened file may replace. */
  readonly preview: boolean;
}

export interface DiagnosticsRequest {
  readonly uri?: Uri;
  /** How long the asker would wait for language servers that are still at work. */
  readonly settleMs: number;
}

export interface FileDiagnostics {
  readonly uri: Uri;
  readonly items: readonly Diagnostic[];
}

export interface Diagnostic {
  readonly message: string;
  readonly severity: "error" | "warning" | "information" | "hint";
  readonly range: Range;
  readonly source?: string;
  readonly code?: string;
}

/** What code has printed, shown or thrown, in order. */
export type Output =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "image"; readonly mimeType: string; readonly base64: string };

export interface Question {
  readonly title: string;
  readonly detail: string;
  /**
   * What a yes is for if it is meant to last. The engine asks once while an agent stays; an editor may
   * remember the yes for the agent's name, answer by itself the next time, and let the person take it
   * back: then it tells a "consents" change. One that remembers nothing has nothing to do.
   */
  readonly lasting?: Lasting | undefined;
}

export type Lasting = "run-code";

/** A text that an agent would like a file to have. The agent writes the file, never the editor. */
export interface Proposal {
  readonly id: string;
  readonly uri: Uri;
  /** The agent's name for it, such as "✻ [Claude Code] a.ts (e0b2cb) ⧉". */
  readonly label: string;
  /** The file when the proposal came; null for a new file. */
  readonly base: string | null;
  readonly text: string;
  /** The file lies outside of the workspace: say so where the proposal is shown. */
  readonly outside: boolean;
}

/**
 * A proposal in front of a person. There are two outcomes and no third, so that no editor can cause
 * a yes that nobody gave: a closed tab is a rejection.
 */
export interface Review {
  /** Rejects if the proposal could not be shown: the agent then asks in its own way. */
  readonly outcome: Promise<Outcome>;
  /**
   * Takes the proposal away; `outcome` then never settles. Idempotent.
   * Resolves to the draft as it stood.
   */
  withdraw(why: Withdrawal): Promise<string>;
}

export type Outcome =
  | { readonly kind: "accepted"; readonly text: string }
  | { readonly kind: "rejected"; readonly reason?: string };

export type Withdrawal = "answered-elsewhere" | "cancelled" | "disconnected" | "stopping";

/**
 * Something about an agent, for the person to see. "turn": it was sent a prompt. "outdated": it says
 * that this editor is too old for it. "withheld": it was not told of a document, and why.
 */
export type AgentEvent =
  | { readonly kind: "connected" | "left" | "turn" | "outdated"; readonly agent: Agent }
  | {
      readonly kind: "withheld";
      readonly agent: Agent;
      readonly uri: Uri;
      readonly why: WithheldReason;
    };

export type WithheldReason = "sharing-is-off" | "denied-here" | "denied-by-agent" | "git-ignored";
