import { open } from "node:fs/promises";
import { UsageError } from "../command.js";
import { isObject, parseJson } from "./json.js";
import type { Entry, Heading, Recording, Sender } from "./recording.js";

/** More than the largest message that anybody here takes, in JSON's escapes. */
const LONGEST_LINE = 256 * 1024 * 1024;
/** Of all lines; what a recording holds is held in memory. */
const LARGEST = 1024 * 1024 * 1024;

/** The file is no recording; the message says where it is not. */
export class RecordingError extends Error {
  override readonly name = "SetupError";
}

/**
 * Reads a recording. It may come from anywhere, so each line is checked. A last line that is torn is
 * left out: the tap was killed while it wrote.
 */
export async function readRecording(path: string): Promise<Recording> {
  const wrong = (line: number, why: string) =>
    new RecordingError(`${path}, line ${line}: ${why} Is it a recording of lockstep tap?`);
  let heading: Heading | undefined;
  const entries: Entry[] = [];
  let torn = false;
  let number = 0;
  for await (const { bytes, ended } of lines(path)) {
    number++;
    const value = parseJson(bytes.toString());
    if (value === undefined && !ended && heading) {
      torn = true;
      break;
    }
    if (value === undefined) throw wrong(number, "this is not JSON.");
    if (!heading) {
      heading = asHeading(value);
      if (!heading) throw wrong(number, "a recording begins with a line about itself.");
      continue;
    }
    const entry = asEntry(value);
    if (!entry) throw wrong(number, "this is not an entry of a recording.");
    entries.push(entry);
  }
  if (!heading) throw wrong(1, "the file is empty.");
  return { heading, entries, torn };
}

async function* lines(path: string): AsyncGenerator<{ bytes: Buffer; ended: boolean }> {
  const handle = await open(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") throw new UsageError(`There is no file ${path}`);
    throw new RecordingError(`${path} cannot be read: ${error.message}`);
  });
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw new RecordingError(`${path} is not an ordinary file.`);
    if (stats.size > LARGEST)
      throw new RecordingError(`${path} is larger than a gigabyte. Take a part of its lines.`);
    let parts: Buffer[] = [];
    let size = 0;
    const take = (part: Buffer) => {
      size += part.length;
      if (size > LONGEST_LINE)
        throw new RecordingError(`${path} has a line that no tap has written: it is too long.`);
      parts.push(part);
    };
    for await (const chunk of handle.createReadStream({
      autoClose: false,
    }) as AsyncIterable<Buffer>) {
      let from = 0;
      for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
        take(chunk.subarray(from, end));
        yield { bytes: Buffer.concat(parts), ended: true };
        parts = [];
        size = 0;
        from = end + 1;
      }
      take(chunk.subarray(from));
    }
    if (size > 0) yield { bytes: Buffer.concat(parts), ended: false };
  } finally {
    await handle.close();
  }
}

const NEWLINE = 10;

function asHeading(value: unknown): Heading | undefined {
  if (!isObject(value) || value.lockstep !== "recording" || value.version !== 1) return undefined;
  const ide = isObject(value.ide) ? value.ide : {};
  return {
    lockstep: "recording",
    version: 1,
    startedAt: textOf(value.startedAt),
    ide: { name: textOf(ide.name), folders: textsOf(ide.folders) },
    command: textsOf(value.command),
    environment: textFieldsOf(value.environment),
  };
}

function asEntry(value: unknown): Entry | undefined {
  if (!isObject(value)) return undefined;
  const { at, time, connection, from } = value;
  if (typeof at !== "number" || !Number.isFinite(at) || at < 0) return undefined;
  if (typeof connection !== "number" || !Number.isInteger(connection)) return undefined;
  if (!isSender(from)) return undefined;
  const moment = { at, time: textOf(time), connection, from };
  switch (value.kind) {
    case "open": {
      const headers = textFieldsOf(value.headers);
      return { ...moment, kind: "open", subprotocol: textOf(value.subprotocol), headers };
    }
    case "text":
    case "note":
      if (typeof value.text !== "string") return undefined;
      return { ...moment, kind: value.kind, text: value.text };
    case "binary":
    case "ping":
    case "pong":
      if (typeof value.base64 !== "string") return undefined;
      return { ...moment, kind: value.kind, base64: value.base64 };
    case "close": {
      if (typeof value.code !== "number") return undefined;
      return { ...moment, kind: "close", code: value.code, reason: textOf(value.reason) };
    }
    default:
      return undefined;
  }
}

const isSender = (value: unknown): value is Sender =>
  value === "agent" || value === "ide" || value === "tap";

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

const textsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];

function textFieldsOf(value: unknown): Readonly<Record<string, string>> {
  const fields = isObject(value) ? Object.entries(value) : [];
  return Object.fromEntries(fields.filter(([, item]) => typeof item === "string")) as Readonly<
    Record<string, string>
  >;
}
