import type { AgentEvent, Range, Withdrawal } from "@lockstep/editor";
import type { TraceEvent } from "@lockstep/server";

/** The file that an editor has open at its start, and what is selected in it. */
export interface Opened {
  readonly path: string;
  readonly range?: Range;
}

/** What the editor's process is started with, as JSON. */
export interface Settings {
  readonly project: string;
  readonly configDir: string;
  readonly stateDir: string;
  readonly opened: Opened;
}

/** What a person does in the editor. Files are named by their absolute path. */
export type Gesture =
  | { readonly kind: "select"; readonly path: string; readonly range: Range }
  | {
      readonly kind: "mention";
      readonly path: string;
      readonly lines?: { readonly first: number; readonly last: number };
    }
  /** With `text` the person has edited the proposal before. */
  | { readonly kind: "accept"; readonly proposal: string; readonly text?: string }
  | { readonly kind: "reject"; readonly proposal: string }
  | { readonly kind: "close-tab"; readonly proposal: string }
  /** Quits the editor. */
  | { readonly kind: "quit" };

/** What a person sees in the editor. */
export type Sight =
  | { readonly kind: "shown"; readonly proposal: string; readonly path: string }
  | { readonly kind: "withdrawn"; readonly proposal: string; readonly why: Withdrawal }
  | { readonly kind: "agent"; readonly what: AgentEvent["kind"] };

export interface Ready {
  readonly port: number;
  readonly lockFiles: readonly string[];
  /** What the editor's own terminals add to their environment. */
  readonly environment: Readonly<Record<string, string>>;
}

/** From the editor's process to the test. */
export type Report =
  | { readonly kind: "ready"; readonly ready: Ready }
  | { readonly kind: "frame"; readonly frame: TraceEvent }
  | { readonly kind: "sight"; readonly sight: Sight }
  | { readonly kind: "done"; readonly order: number; readonly failure?: string };

/** From the test to the editor's process; answered by "done" with the same number. */
export interface Order {
  readonly order: number;
  readonly gesture: Gesture;
}
