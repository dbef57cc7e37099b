import type { Uri } from "@lockstep/protocol";
import * as z from "zod/mini";
import { call } from "./call.js";
import { count, id, uri } from "./shapes.js";
import type { State } from "./state.js";

/** What a window shows in its middle. */
export const view = z.union([
  z.object({ kind: z.literal("nothing") }),
  z.object({ kind: z.literal("document"), uri }),
  z.object({ kind: z.literal("review"), id }),
  z.object({ kind: z.literal("turn"), turn: id, file: id }),
  z.object({ kind: z.literal("settings") }),
]);
export type View = z.infer<typeof view>;

const position = z.object({ line: count, character: count });

export interface Welcome {
  readonly state: State;
  /** The number of the last patch that is in `state`. */
  readonly sequence: number;
  /** What this window showed last, if it was here before; otherwise what the last one showed. */
  readonly view: View;
}

export const windowCalls = {
  /** The first call of a window. `window` is its own name for itself, kept over reloads. */
  "window.hello": call<Welcome>()(z.object({ window: id })),
  /** What it shows now, and whether the person is in it: the last such window owns the selection. */
  "window.show": call<void>()(z.object({ view, focused: z.boolean() })),
  /** The main selection of the document that is shown; in a notebook, of the cell with this key. */
  "window.select": call<void>()(
    z.object({
      uri,
      anchor: position,
      head: position,
      cell: z.optional(id),
      focused: z.boolean(),
    }),
  ),
};

export interface WindowEvents {
  /** Show this: an agent asked for it, or a command. Without `focus` it only gets a tab. */
  "window.reveal": {
    readonly uri: Uri;
    readonly range?: {
      readonly start: { readonly line: number; readonly character: number };
      readonly end: { readonly line: number; readonly character: number };
    };
    readonly focus: boolean;
  };
}
