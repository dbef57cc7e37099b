import * as z from "zod/mini";
import { call } from "./call.js";
import { count, id } from "./shapes.js";

/** CodeMirror's ChangeSet as JSON, with the window that made it. */
export const update = z.object({
  clientID: z.string().check(z.maxLength(200)),
  changes: z.array(z.unknown()),
});
export type Update = z.infer<typeof update>;

/**
 * A text that several windows edit, with the workbench as the authority. `epoch` tells one life of
 * the text from the next: versions of two epochs cannot be compared.
 */
export interface TextSnapshot {
  readonly epoch: string;
  readonly version: number;
  readonly text: string;
}

/** Names a shared text: a document's URI, or `proposal:<id>` for the right side of a review. */
const textName = z.string().check(z.minLength(1), z.maxLength(8_192));

export const textCalls = {
  /** From now on this window hears `text.updates` of that text. */
  "text.attach": call<TextSnapshot>()(z.object({ name: textName })),
  "text.detach": call<void>()(z.object({ name: textName })),
  /** False: others were faster; their updates are on the way, push again on top of them. */
  "text.push": call<boolean>()(
    z.object({ name: textName, epoch: id, version: count, updates: z.array(update) }),
  ),
  /** What was missed since `version`; null if it is too long ago or another epoch: attach again. */
  "text.pull": call<readonly Update[] | null>()(
    z.object({ name: textName, epoch: id, version: count }),
  ),
};

export interface TextEvents {
  /** The updates that make version `version + updates.length` of `version`. */
  "text.updates": {
    readonly name: string;
    readonly epoch: string;
    readonly version: number;
    readonly updates: readonly Update[];
  };
}
