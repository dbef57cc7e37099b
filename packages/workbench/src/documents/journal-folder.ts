import { randomBytes } from "node:crypto";
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { chmod, lstat, mkdir, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { printable, type Uri } from "@lockstep/protocol";
import * as z from "zod/mini";
import { uri } from "../contract/shapes.js";
import { SharedText } from "../texts/shared-text.js";
import { JOURNAL, Journal, type JournalContent, journalPath, readJournal } from "./journal.js";
import { readFormat, type Saved, textOf } from "./journal-record.js";
import { Replay } from "./replay.js";
import type { Format } from "./text-format.js";

const TABS = "tabs.json";
const SET_ASIDE = "set-aside";

const tabsRecord = z.array(z.object({ uri, preview: z.boolean() }));
export type TabsRecord = z.infer<typeof tabsRecord>;

/** Unsaved work of an earlier process. */
export interface Restored {
  readonly uri: Uri;
  readonly shared: SharedText;
  readonly saved: Saved;
  readonly format: Format;
  readonly merging: string | null;
}

export interface Found {
  readonly restored: readonly Restored[];
  readonly tabs: TabsRecord;
  /** Sentences about what could not be understood. It is kept, in a folder of its own. */
  readonly problems: readonly string[];
}

/** The folder of the journals and the list of tabs: what a crash must not take. */
export class JournalFolder {
  private constructor(readonly path: string) {}

  static async open(path: string): Promise<JournalFolder> {
    await mkdir(path, { recursive: true, mode: 0o700 });
    await chmod(path, 0o700);
    return new JournalFolder(path);
  }

  journal(document: Uri, onState: (problem: unknown) => void): Journal {
    return new Journal(journalPath(this.path, document), onState);
  }

  /** Whole or not at all. */
  writeTabs(tabs: TabsRecord): void {
    const draft = join(this.path, `${TABS}.${randomBytes(4).toString("hex")}`);
    try {
      writeFileSync(draft, JSON.stringify(tabs), { mode: 0o600, flag: "wx" });
      renameSync(draft, join(this.path, TABS));
    } catch (problem) {
      rmSync(draft, { force: true });
      throw problem;
    }
  }

  /** Nothing in the folder can make it fail: at worst there is another problem to tell. */
  async read(): Promise<Found> {
    const restored: Restored[] = [];
    const problems: string[] = [];
    for (const name of (await readdir(this.path)).sort()) {
      try {
        if (isDraft(name)) await rm(join(this.path, name), { force: true, recursive: true });
        if (name.endsWith(JOURNAL)) await this.#readJournal(name, restored, problems);
      } catch (problem) {
        problems.push(`${printable(join(this.path, name))} cannot be used: ${String(problem)}.`);
      }
    }
    return { restored, problems, tabs: await this.#readTabs(problems) };
  }

  async #readJournal(name: string, restored: Restored[], problems: string[]): Promise<void> {
    const path = join(this.path, name);
    const content = await readJournal(path);
    const work = content && restore(content, path, this.path);
    if (work) restored.push(work.restored);
    if (work?.whole) return;
    const kept = printable(await this.#setAside(name));
    problems.push(
      work
        ? `Part of the unsaved work on ${printable(work.restored.uri)} could not be read after the last end. What could be is open; the rest is in ${kept}.`
        : `Unsaved work could not be read after the last end. What is left of it is in ${kept}.`,
    );
  }

  async #readTabs(problems: string[]): Promise<TabsRecord> {
    const path = join(this.path, TABS);
    const stats = await lstat(path).catch(() => null);
    if (!stats) return [];
    try {
      if (stats.isFile() && stats.size < 16 * 1024 * 1024) {
        return tabsRecord.parse(JSON.parse(await readFile(path, "utf8")));
      }
    } catch {
      // It is set aside below.
    }
    const kept = await this.#setAside(TABS).catch(() => path);
    problems.push(`The list of open tabs could not be read, so they are closed. It is in ${kept}.`);
    return [];
  }

  async #setAside(name: string): Promise<string> {
    const folder = join(this.path, SET_ASIDE);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const kept = join(folder, `${Date.now()}-${randomBytes(4).toString("hex")}-${name}`);
    await rename(join(this.path, name), kept);
    return kept;
  }
}

/** What a process was writing when it ended: the file that it was to replace is still there. */
const isDraft = (name: string): boolean => /\.(?:journal|json)\.[0-9a-f]{8}$/.test(name);

/** Null if the journal contradicts itself; `whole` is false if only its first part makes sense. */
function restore(
  { head, entries, damaged }: JournalContent,
  path: string,
  folder: string,
): { restored: Restored; whole: boolean } | null {
  // A journal under the name of another would be overwritten by that one's.
  if (journalPath(folder, head.uri) !== path) return null;
  const text = textOf(head.text);
  const savedText = head.saved.text === null ? text : textOf(head.saved.text);
  const format = readFormat(head.format, text);
  const savedFormat = readFormat(head.saved.format, savedText);
  if (!format || !savedFormat) return null;
  const shared = new SharedText(text, { epoch: head.epoch, version: head.version });
  const replay = new Replay(shared, format);
  const whole = entries.every((entry) => replay.take(entry)) && !damaged;
  const saved = { text: savedText, format: savedFormat, stamp: head.saved.stamp };
  const { uri, merging } = head;
  return { restored: { uri, shared, saved, format: replay.format, merging }, whole };
}
