import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { isBinary } from "../documents/text-format.js";

type Encoding = "utf-8" | "utf-16le" | "utf-16be";

/**
 * A file's text with all that makes its bytes: the byte order mark, and each line's own end. Cut at LF,
 * a line that ends with CR LF keeps its CR; so whatever is made of such lines has exact bytes.
 */
export interface RawText {
  readonly text: string;
  readonly encoding: Encoding;
}

/** Bytes. No text of a turn is as large. */
const LARGEST = 64 * 1024 * 1024;

/** Null for all but a file that can be read at once: a pipe in its place would never end. */
export async function readPlain(path: string): Promise<Buffer | null> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const handle = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(() => null);
  if (!handle) return null;
  try {
    const stats = await handle.stat();
    return stats.isFile() && stats.size <= LARGEST ? await handle.readFile() : null;
  } catch {
    return null;
  } finally {
    await handle.close();
  }
}

/** Null for what is not text, or not wholly. */
export function rawText(bytes: Buffer): RawText | null {
  if (isBinary(bytes)) return null;
  const encoding = encodingOf(bytes);
  try {
    return {
      text: new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes),
      encoding,
    };
  } catch {
    return null;
  }
}

export function rawBytes({ text, encoding }: RawText): Buffer {
  if (encoding === "utf-8") return Buffer.from(text);
  const bytes = Buffer.from(text, "utf16le");
  return encoding === "utf-16be" ? bytes.swap16() : bytes;
}

function encodingOf(bytes: Buffer): Encoding {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  return "utf-8";
}

/** Every line ends with CR LF; those who read it need not see the CR then. */
export function isCrLf(text: string): boolean {
  return text.includes("\r\n") && !/\r(?!\n)|(?<!\r)\n/.test(text);
}

export const withoutCr = (text: string): string => text.replaceAll("\r\n", "\n");
