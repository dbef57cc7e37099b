import { Text } from "@codemirror/state";
import { joinLines, type LineEnds, splitLines } from "./line-ends.js";

export const ENCODINGS = ["utf-8", "utf-8 with BOM", "utf-16le", "utf-16be"] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** What a file has besides its text, so that it can be written back as it was. */
export interface Format {
  readonly encoding: Encoding;
  readonly ends: LineEnds;
}

export interface Decoded {
  /** With LF only. */
  readonly text: Text;
  readonly format: Format;
  /** Some bytes mean nothing in this encoding and are shown as U+FFFD: it cannot be written back. */
  readonly damaged: boolean;
}

const BOMS: Readonly<Record<Encoding, Buffer>> = {
  "utf-8": Buffer.alloc(0),
  "utf-8 with BOM": Buffer.from([0xef, 0xbb, 0xbf]),
  "utf-16le": Buffer.from([0xff, 0xfe]),
  "utf-16be": Buffer.from([0xfe, 0xff]),
};

/** Where text files have no NUL, and nearly all others have one. */
const HEAD = 8 * 1024;

function encodingOf(bytes: Buffer): Encoding {
  const hasBom = (encoding: Encoding) =>
    bytes.subarray(0, BOMS[encoding].length).equals(BOMS[encoding]);
  const marked = ENCODINGS.filter((encoding) => encoding !== "utf-8").find(hasBom);
  return marked ?? "utf-8";
}

export function isBinary(bytes: Buffer): boolean {
  return !encodingOf(bytes).startsWith("utf-16") && bytes.subarray(0, HEAD).includes(0);
}

export function decode(bytes: Buffer): Decoded {
  const encoding = encodingOf(bytes);
  const { string, damaged } = decodeString(bytes.subarray(BOMS[encoding].length), encoding);
  const { lines, ends } = splitLines(string);
  return { text: Text.of(lines), format: { encoding, ends }, damaged };
}

/** The bytes of the file. What was decoded without damage comes back as it was. */
export function encode(text: Text, { encoding, ends }: Format): Buffer {
  const string = joinLines(text, ends);
  const bytes = Buffer.from(string, encoding.startsWith("utf-16") ? "utf16le" : "utf8");
  if (encoding === "utf-8") return bytes;
  return Buffer.concat([BOMS[encoding], encoding === "utf-16be" ? bytes.swap16() : bytes]);
}

function decodeString(bytes: Buffer, encoding: Encoding): { string: string; damaged: boolean } {
  const label = encoding === "utf-8 with BOM" ? "utf-8" : encoding;
  const decoder = (fatal: boolean) => new TextDecoder(label, { fatal, ignoreBOM: true });
  try {
    return { string: decoder(true).decode(bytes), damaged: false };
  } catch {
    return { string: decoder(false).decode(bytes), damaged: true };
  }
}
