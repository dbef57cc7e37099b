import { Text } from "@codemirror/state";
import * as z from "zod/mini";
import { uri } from "../contract/shapes.js";
import { update } from "../contract/texts.js";
import type { Stamp } from "./disk-file.js";
import { type EndsRecord, readEnds, writeEnds } from "./line-ends.js";
import { ENCODINGS, type Format } from "./text-format.js";

const lineEnd = z.enum(["lf", "crlf", "cr"]);
const position = z.int().check(z.nonnegative());
const format = z.object({
  encoding: z.enum(ENCODINGS),
  ends: z.tuple([lineEnd], z.tuple([position, lineEnd])),
});
const stamp = z.object({
  changed: z.string(),
  inode: z.string(),
  size: position,
  hash: z.string(),
  sure: z.boolean(),
});

/** The first line of a journal: a document as it was before the updates that follow. */
export const journalHead = z.object({
  journal: z.literal(1),
  uri,
  epoch: z.string().check(z.minLength(1), z.maxLength(200)),
  version: position,
  /** In LF. */
  text: z.string(),
  format,
  /** What the file has; its text is null where it is equal to `text`. */
  saved: z.object({ text: z.nullable(z.string()), format, stamp: z.nullable(stamp) }),
  /** The person chose these line ends, though it may not show: the file's usual ones can be the same. */
  endsChosen: z.optional(z.boolean()),
  /** The hash of the file that the person is merging the unsaved edits with. */
  merging: z.optional(z.nullable(z.string())),
});
export type JournalHead = z.infer<typeof journalHead>;

/** Each further line: updates that were made at that version. */
export const journalEntry = z.object({
  version: position,
  updates: z.array(update).check(z.minLength(1)),
});
export type JournalEntry = z.infer<typeof journalEntry>;

/** What a file has, as far as we know. */
export interface Saved {
  readonly text: Text;
  readonly format: Format;
  /** Null while there is no file. */
  readonly stamp: Stamp | null;
}

export const textOf = (text: string): Text => Text.of(text.split("\n"));

export const writeFormat = ({ encoding, ends }: Format): JournalHead["format"] => ({
  encoding,
  ends: writeEnds(ends) as JournalHead["format"]["ends"],
});

/** Null if it does not fit the text. */
export function readFormat(record: JournalHead["format"], text: Text): Format | null {
  const ends = readEnds(record.ends as EndsRecord, text);
  return ends && { encoding: record.encoding, ends };
}
