import { createHash, randomBytes } from "node:crypto";
import { closeSync, constants, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import type { Uri } from "@lockstep/protocol";
import {
  type JournalEntry,
  type JournalHead,
  journalEntry,
  journalHead,
} from "./journal-record.js";

const { O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;

/** Bytes. A string cannot be much longer. */
const LARGEST = 500 * 1024 * 1024;

/** Bytes of updates after which a journal is started anew; for large texts, as many as the text. */
const LONG = 4 * 1024 * 1024;

/** After a failure it is not tried again with each keystroke. */
const RETRY_MS = 2_000;

export const JOURNAL = ".journal";

export const journalPath = (folder: string, uri: Uri): string =>
  join(folder, createHash("sha256").update(uri).digest("hex").slice(0, 32) + JOURNAL);

/**
 * Keeps the unsaved work of one document where a crash cannot take it: a snapshot, then each update,
 * a line each. It writes at once and without waiting, because nobody may learn of an update before it
 * is here.
 */
export class Journal {
  readonly #path: string;
  readonly #onState: (problem: unknown) => void;
  #file: number | null = null;
  #limit = 0;
  #length = 0;
  #failedAt = Number.NEGATIVE_INFINITY;

  /** `onState` hears why the journal cannot be written, and null when it can be again. */
  constructor(path: string, onState: (problem: unknown) => void) {
    this.#path = path;
    this.#onState = onState;
  }

  /** There is a snapshot, and every update since is behind it. */
  get isOpen(): boolean {
    return this.#file !== null;
  }

  get isLong(): boolean {
    return this.#length > this.#limit;
  }

  /** Not while a disk that failed is given time to recover. */
  get mayStart(): boolean {
    return performance.now() - this.#failedAt > RETRY_MS;
  }

  /** Starts anew with a snapshot. Until it is whole, what was there before stays. */
  start(head: Omit<JournalHead, "journal">): boolean {
    const draft = `${this.#path}.${randomBytes(4).toString("hex")}`;
    let file: number | null = null;
    try {
      file = openSync(draft, O_WRONLY | O_APPEND | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
      writeWhole(file, `${JSON.stringify({ journal: 1, ...head })}\n`);
      renameSync(draft, this.#path);
    } catch (problem) {
      if (file !== null) closeSync(file);
      rmSync(draft, { force: true });
      return this.#fail(problem);
    }
    this.#close();
    this.#file = file;
    this.#length = 0;
    this.#limit = Math.max(LONG, head.text.length);
    this.#recover();
    return true;
  }

  append(entry: JournalEntry): boolean {
    if (this.#file === null) return false;
    try {
      this.#length += writeWhole(this.#file, `${JSON.stringify(entry)}\n`);
      return true;
    } catch (problem) {
      // Half a line may be there: nothing can follow it. What is before it stays readable.
      this.#close();
      return this.#fail(problem);
    }
  }

  /** Nothing is unsaved any more. */
  remove(): void {
    this.#close();
    try {
      rmSync(this.#path, { force: true });
      this.#recover();
    } catch (problem) {
      this.#fail(problem);
    }
  }

  /** What is in it stays for the next start. */
  close(): void {
    this.#close();
  }

  #close(): void {
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }

  #recover(): void {
    if (this.#failedAt > 0) this.#onState(null);
    this.#failedAt = Number.NEGATIVE_INFINITY;
  }

  #fail(problem: unknown): false {
    this.#failedAt = performance.now();
    this.#onState(problem);
    return false;
  }
}

function writeWhole(file: number, line: string): number {
  const bytes = Buffer.from(line);
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
  return bytes.length;
}

export interface JournalContent {
  readonly head: JournalHead;
  readonly entries: readonly JournalEntry[];
  /** Something after `entries` could not be understood. A torn last line is not counted. */
  readonly damaged: boolean;
}

/** Null if not even its first line makes sense, or it is not a file of ours. */
export async function readJournal(path: string): Promise<JournalContent | null> {
  const text = await readOwn(path);
  const [first, ...rest] = text?.split("\n") ?? [];
  const head = first === undefined ? null : parsed(journalHead, first);
  if (!head) return null;
  // What follows the last LF is torn, or empty.
  const whole = rest.slice(0, -1);
  const entries: JournalEntry[] = [];
  let { version } = head;
  for (const line of whole) {
    const entry = parsed(journalEntry, line);
    if (entry?.version !== version) return { head, entries, damaged: true };
    entries.push(entry);
    version += entry.updates.length;
  }
  return { head, entries, damaged: false };
}

async function readOwn(path: string): Promise<string | null> {
  const handle = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(() => null);
  if (!handle) return null;
  try {
    const stats = await handle.stat();
    const foreign = process.getuid !== undefined && stats.uid !== process.getuid();
    if (!stats.isFile() || foreign || stats.size > LARGEST) return null;
    return await handle.readFile("utf8");
  } catch {
    return null;
  } finally {
    await handle.close();
  }
}

function parsed<Value>(
  schema: { safeParse(value: unknown): { data?: Value | undefined } },
  line: string,
): Value | null {
  try {
    return schema.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    return null;
  }
}
