import * as z from "zod/mini";
import { holdsPath, holdsUri } from "./path-fields.js";

/** 0-based line, 0-based UTF-16 column. */
export const PositionReply = z.object({ line: z.number(), character: z.number() });

/**
 * What editors say of a selection: the reply of getCurrentSelection and getLatestSelection, and
 * the params of selection_changed. Read tolerantly: JetBrains' document allows null for the text
 * and the path, and getLatestSelection has no `success` where it succeeds.
 */
export const SelectionReply = z.object({
  success: z.nullish(z.boolean()),
  text: z.nullish(z.string()),
  filePath: z.nullish(holdsPath(z.string())),
  fileUrl: z.nullish(holdsUri(z.string())),
  selection: z.nullish(z.object({ start: PositionReply, end: PositionReply })),
});
export type SelectionReply = z.infer<typeof SelectionReply>;
