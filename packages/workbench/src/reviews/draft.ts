import type { Hunk } from "@lockstep/review";
import * as z from "zod/mini";
import { id, uri } from "../contract/shapes.js";

const lines = z.array(z.string());
const line = z.int().check(z.nonnegative());

const hunk = z.object({
  id: line,
  from: line,
  to: line,
  lines,
  decision: z.enum(["pending", "kept", "dropped", "edited"]),
  conflict: z.optional(z.object({ was: lines })),
});

/** A review as it is kept on the disk, so that a crash takes nothing of it. */
export const draft = z.object({
  format: z.literal(1),
  id,
  uri,
  agent: z.object({ id: z.string(), name: z.string() }),
  /** When it came, in milliseconds since 1970. */
  since: z.number(),
  outside: z.boolean(),
  moved: z.boolean(),
  /** A merge is the person's own: without a decision in it there is nothing to keep. */
  merge: z.boolean(),
  touched: z.boolean(),
  base: z.nullable(z.string()),
  shown: z.string(),
  hunks: z.optional(z.array(hunk)),
});
export type Draft = z.infer<typeof draft>;

/** Hunks that do not fit their base would show nonsense: better to compare the texts anew. */
export function fittingHunks({ base, hunks }: Draft): readonly Hunk[] | undefined {
  const end = (base ?? "").split("\n").length;
  let at = 0;
  for (const { from, to } of hunks ?? []) {
    if (from < at || to < from || to > end) return undefined;
    at = to;
  }
  return hunks?.map(({ conflict, ...rest }) => (conflict ? { ...rest, conflict } : rest));
}
