import { mkdir, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { Queue } from "../queue.js";
import { writeJsonFile } from "../state/json-file.js";
import { type Draft, draft } from "./draft.js";

/** After this time nobody comes back to it. */
const OLDEST_MS = 7 * 24 * 60 * 60 * 1_000;
const MOST = 50;

/** Between two writes of one draft. Large ones take a moment to write, so they are written less often. */
const PAUSE_MS = 100;
const LARGE_PAUSE_MS = 1_000;

/** Reviews on the disk: one file each, whole or not at all, for this user only. */
export class Drafts {
  readonly #folder: string;
  readonly #report: (problem: unknown) => void;
  readonly #waiting = new Map<string, { make: () => Draft; timer: NodeJS.Timeout }>();
  /** When each was written last. */
  readonly #written = new Map<string, number>();
  readonly #queue = new Queue();

  static async open(stateDir: string, report: (problem: unknown) => void): Promise<Drafts> {
    const folder = join(stateDir, "drafts");
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return new Drafts(folder, report);
  }

  private constructor(folder: string, report: (problem: unknown) => void) {
    this.#folder = folder;
    this.#report = report;
  }

  /** What an earlier process left, the oldest first. What is too old goes; what is no draft is set aside. */
  async restore(): Promise<readonly Draft[]> {
    const found: Draft[] = [];
    for (const name of await readdir(this.#folder)) {
      const path = join(this.#folder, name);
      const tooOld = Date.now() - (await stat(path)).mtimeMs > OLDEST_MS;
      const ours = name.endsWith(".json");
      if (tooOld || !(ours || name.endsWith(".unreadable"))) await rm(path, { recursive: true });
      else if (ours) found.push(...(await this.#read(path)));
    }
    found.sort((a, b) => a.since - b.since);
    // An agent can leave any number of them: those with the person's work in them are kept first.
    const worth = [...found].sort(
      (a, b) => Number(b.touched) - Number(a.touched) || b.since - a.since,
    );
    const kept = new Set(worth.slice(0, MOST));
    for (const draft of found) if (!kept.has(draft)) this.remove(draft.id);
    return found.filter((draft) => kept.has(draft));
  }

  /**
   * At once on the disk, or soon where it was written a moment ago. `make` is asked when it is written,
   * so that a burst of changes is written once.
   */
  save(id: string, make: () => Draft, large: boolean): void {
    if (this.#waiting.has(id)) return;
    const pause = large ? LARGE_PAUSE_MS : PAUSE_MS;
    const last = this.#written.get(id) ?? (large ? Date.now() : 0);
    const timer = setTimeout(() => this.#write(id), Math.max(0, last + pause - Date.now()));
    this.#waiting.set(id, { make, timer });
  }

  remove(id: string): void {
    clearTimeout(this.#waiting.get(id)?.timer);
    this.#waiting.delete(id);
    this.#written.delete(id);
    this.#then(() => rm(this.#path(id), { force: true }));
  }

  /** All that was to be saved or removed is. */
  async flush(): Promise<void> {
    for (const id of [...this.#waiting.keys()]) this.#write(id);
    await this.#queue.idle();
  }

  #write(id: string): void {
    const waiting = this.#waiting.get(id);
    if (!waiting) return;
    clearTimeout(waiting.timer);
    this.#waiting.delete(id);
    this.#written.set(id, Date.now());
    try {
      const made = waiting.make();
      this.#then(() => writeJsonFile(this.#path(id), made));
    } catch (problem) {
      this.#report(problem);
    }
  }

  #then(work: () => Promise<void>): void {
    this.#queue.take(work).catch(this.#report);
  }

  async #read(path: string): Promise<readonly Draft[]> {
    try {
      return [draft.parse(JSON.parse(await readFile(path, "utf8")))];
    } catch (problem) {
      this.#report(problem);
      await rename(path, `${path}.unreadable`);
      return [];
    }
  }

  #path(id: string): string {
    return join(this.#folder, `${encodeURIComponent(id)}.json`);
  }
}
