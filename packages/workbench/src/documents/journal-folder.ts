import { randomBytes } from "node:crypto";
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { chmod, lstat, mkdir, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { baseName, filePath, printable, type Uri } from "@lockstep/protocol";
import * as z from "zod/mini";
import { uri } from "../contract/shapes.js";
import { SharedText } from "../texts/shared-text.js";
import { isDocument } from "./document-uri.js";
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
  readonly endsChosen: boolean;
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
    let unread = 0;
    for (const name of (await readdir(this.path)).sort()) {
      try {
        if (isDraft(name)) await rm(join(this.path, name), { force: true, recursive: true });
        if (!name.endsWith(JOURNAL)) continue;
        const work = await this.#readJournal(name);
        if (work) restored.push(work.restored);
        else unread++;
        if (work && !work.whole) problems.push(this.#cut(work.restored.uri));
      } catch (problem) {
        problems.push(`${printable(join(this.path, name))} cannot be used: ${String(problem)}.`);
      }
    }
    if (unread > 0) problems.push(this.#unread(unread));
    return { restored, problems, tabs: await this.#readTabs(problems) };
  }

  /** One that is not whole is set aside. */
  async #readJournal(name: string): Promise<ReturnType<typeof restore>> {
    const path = join(this.path, name);
    const content = await readJournal(path);
    const work = content && restore(content, path, this.path);
    if (!work?.whole) await this.#setAside(name);
    return work;
  }

  #unread(count: number): string {
    const what = count === 1 ? "of a document" : `of ${count} documents`;
    return `Unsaved work ${what} from last time could not be read. What is left of it is in ${this.#aside}.`;
  }

  #cut(uri: Uri): string {
    const name = printable(baseName(filePath(uri) ?? uri));
    return `Part of the unsaved work on ${name} from last time could not be read. What could be read is open; all that is left is in ${this.#aside}.`;
  }

  /** As it is shown to the person. */
  get #aside(): string {
    return printable(join(this.path, SET_ASIDE));
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
    await this.#setAside(TABS).catch(() => {});
    problems.push(
      `The list of open tabs could not be read, so they are closed. It is in ${this.#aside}.`,
    );
    return [];
  }

  async #setAside(name: string): Promise<void> {
    const folder = join(this.path, SET_ASIDE);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const kept = join(folder, `${Date.now()}-${randomBytes(4).toString("hex")}-${name}`);
    await rename(join(this.path, name), kept);
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
  if (journalPath(folder, head.uri) !== path || !isDocument(head.uri)) return null;
  const text = textOf(head.text);
  const savedText = head.saved.text === null ? text : textOf(head.saved.text);
  const format = readFormat(head.format, text);
  const savedFormat = readFormat(head.saved.format, savedText);
  if (!format || !savedFormat) return null;
  const shared = new SharedText(text, { epoch: head.epoch, version: head.version });
  const replay = new Replay(shared, format);
  const whole = entries.every((entry) => replay.take(entry)) && !damaged;
  const saved = { text: savedText, format: savedFormat, stamp: head.saved.stamp };
  const { uri, endsChosen = false, merging = null } = head;
  const restored = { uri, shared, saved, format: replay.format, endsChosen, merging };
  return { restored, whole };
}
