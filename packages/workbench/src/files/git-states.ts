import { dirname } from "node:path";
import { isWithin } from "@lockstep/protocol";
import type { GitState } from "../contract/files.js";
import { type GitStatus, readGitStatus } from "./git-status.js";

/** A burst of changes is waited for; then git is asked once. */
const PAUSE_MS = 150;

/** What git says of each folder of the workspace, asked again after each burst of changes. */
export class GitStates {
  readonly #folders: readonly string[];
  readonly #onChange: (folders: readonly string[]) => void;
  readonly #report: (problem: unknown) => void;
  #statuses: ReadonlyMap<string, GitStatus> = new Map();
  #timer: NodeJS.Timeout | null = null;
  #running: Promise<void> | null = null;
  #again = false;
  readonly #stop = new AbortController();

  /** `onChange` is told of the folders whose lists look different now. */
  constructor(
    folders: readonly string[],
    onChange: (folders: readonly string[]) => void,
    report: (problem: unknown) => void,
  ) {
    this.#folders = folders;
    this.#onChange = onChange;
    this.#report = report;
  }

  /** Of the first folder; null without one. */
  get branch(): string | null {
    return this.#statuses.get(this.#folders[0] ?? "")?.branch ?? null;
  }

  /** Where git keeps its state of the folders. */
  get gitDirs(): readonly string[] {
    return [...new Set([...this.#statuses.values()].map(({ gitDir }) => gitDir))];
  }

  /** It, or a folder above it, is ignored. */
  isIgnored(path: string): boolean {
    for (const [folder, { ignored }] of this.#statuses) {
      if (!isWithin(path, folder)) continue;
      for (let at = path; at.length >= folder.length; at = dirname(at)) {
        if (ignored.has(at)) return true;
        if (at === dirname(at)) break;
      }
    }
    return false;
  }

  /** Answers the state of the entry with that name in a folder. */
  below(folder: string): { get(name: string): GitState | "ignored" | undefined } {
    const statuses = [...this.#statuses.values()];
    const prefix = folder.endsWith("/") ? folder : `${folder}/`;
    return {
      get: (name) => {
        const path = prefix + name;
        for (const { files, folders, ignored } of statuses) {
          if (ignored.has(path)) return "ignored";
          const state = files.get(path) ?? folders.get(path);
          if (state) return state;
        }
        return undefined;
      },
    };
  }

  /** Something changed: git is asked soon. */
  touch(): void {
    if (this.#stop.signal.aborted) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.refresh().catch(this.#report);
    }, PAUSE_MS);
  }

  /** Asks git now. One at a time: a change during a run makes one more. */
  async refresh(): Promise<void> {
    if (this.#running) {
      this.#again = true;
      return this.#running;
    }
    this.#running = this.#ask();
    try {
      await this.#running;
    } finally {
      this.#running = null;
    }
  }

  async close(): Promise<void> {
    this.#stop.abort();
    if (this.#timer) clearTimeout(this.#timer);
    await this.#running;
  }

  async #ask(): Promise<void> {
    do {
      this.#again = false;
      const statuses = new Map<string, GitStatus>();
      for (const folder of this.#folders) {
        const status = await readGitStatus(folder, this.#stop.signal);
        if (status) statuses.set(folder, status);
      }
      if (this.#stop.signal.aborted) return;
      const before = this.#statuses;
      this.#statuses = statuses;
      this.#onChange(differences(before, statuses));
    } while (this.#again);
  }
}

/** The folders in which an entry has another state than before. */
function differences(
  before: ReadonlyMap<string, GitStatus>,
  after: ReadonlyMap<string, GitStatus>,
): readonly string[] {
  const changed = new Set<string>();
  for (const folder of new Set([...before.keys(), ...after.keys()])) {
    const old = before.get(folder);
    const now = after.get(folder);
    compare(old?.files, now?.files, changed);
    compare(old?.folders, now?.folders, changed);
    compare(asMap(old?.ignored), asMap(now?.ignored), changed);
  }
  return [...changed];
}

const asMap = (set: ReadonlySet<string> | undefined): ReadonlyMap<string, true> =>
  new Map([...(set ?? [])].map((path) => [path, true]));

function compare<State>(
  old: ReadonlyMap<string, State> = new Map(),
  now: ReadonlyMap<string, State> = new Map(),
  changed: Set<string>,
): void {
  for (const [path, state] of now) if (old.get(path) !== state) changed.add(dirname(path));
  for (const path of old.keys()) if (!now.has(path)) changed.add(dirname(path));
}
