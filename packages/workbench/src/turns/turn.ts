import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { languageId } from "@lockstep/editor";
import { fileUri, printable } from "@lockstep/protocol";
import type { TurnFileInfo, TurnInfo } from "../contract/turns.js";
import { nameOf } from "../reviews/reviewed-file.js";
import { modeOf } from "./image.js";
import {
  hasUndone,
  isDecided,
  keyOf,
  kindOf,
  lostOf,
  stateOf,
  type TurnFile,
} from "./turn-file.js";
import type { Act, TurnRecord } from "./turn-record.js";

/** Decisions that can be taken back, and paths that are told as stale. */
const MOST_ACTS = 100;
const MOST_STALE = 50;

/** What has changed from a checkpoint to the next. */
export class Turn {
  readonly id: string;
  readonly since: number;
  agent: string | null;
  others: readonly string[];
  until: number | null = null;
  cut = 0;
  quiet = false;
  stale: readonly string[] = [];
  past: readonly Act[] = [];
  future: readonly Act[] = [];
  readonly files = new Map<string, TurnFile>();

  constructor(about: Pick<Turn, "since" | "agent" | "others"> & { readonly id?: string }) {
    this.id = about.id ?? randomUUID();
    this.since = about.since;
    this.agent = about.agent;
    this.others = about.others;
  }

  static restore(record: TurnRecord): Turn {
    const turn = new Turn(record);
    const { until, cut, stale, past, future } = record;
    Object.assign(turn, { until, cut, stale, past, future });
    for (const file of record.files) turn.files.set(file.id, file as TurnFile);
    return turn;
  }

  get record(): TurnRecord {
    const { id, since, agent, others, until, cut, stale, past, future } = this;
    const files = [...this.files.values()];
    // The lists here are read-only, the schema's are not.
    return {
      format: 1,
      id,
      since,
      agent,
      others,
      until,
      cut,
      stale,
      files,
      past,
      future,
    } as unknown as TurnRecord;
  }

  get isEmpty(): boolean {
    return this.files.size === 0 && this.cut === 0;
  }

  get info(): TurnInfo {
    const { id, since, until, agent, others, cut, quiet, stale } = this;
    const files = [...this.files.values()];
    const sum = (of: (file: TurnFile) => number | null) =>
      files.reduce((total, file) => total + (of(file) ?? 0), 0);
    return {
      ...{ id, since, until, agent, others, cut, quiet, stale: stale.map(printable) },
      files: files.length,
      added: sum(({ added }) => added),
      removed: sum(({ removed }) => removed),
      unseen: files.filter((file) => file.seen !== keyOf(file) && !isDecided(file)).length,
      undo: this.past.at(-1)?.label ?? null,
      redo: this.future.at(-1)?.label ?? null,
    };
  }

  put(file: TurnFile): void {
    this.files.set(file.id, file);
  }

  /** A decision was taken; this takes it back. */
  remember(act: Act): void {
    this.past = [...this.past, act].slice(-MOST_ACTS);
    this.future = [];
  }

  /** What was decided on a file was about something that is not there any more. */
  forgetActs(id: string): void {
    const without = (acts: readonly Act[]) =>
      acts
        .map((act) => ({ ...act, steps: act.steps.filter(({ file }) => file !== id) }))
        .filter(({ steps }) => steps.length > 0);
    this.past = without(this.past);
    this.future = without(this.future);
  }

  /** What the agent remembers of it is not what it is. */
  addStale(path: string): void {
    if (!this.stale.includes(path)) this.stale = [...this.stale, path].slice(-MOST_STALE);
  }

  /** What was brought back is what the agent remembers. */
  forgetStale(): void {
    const undone = [...this.files.values()].filter(hasUndone);
    this.stale = this.stale.filter((stale) =>
      undone.some(({ path, from }) => path === stale || from === stale),
    );
  }
}

/** A file as windows see it. */
export function fileInfo(file: TurnFile, root: string, conflict: string | null): TurnFileInfo {
  const uri = fileUri(join(root, file.path));
  const { label, place } = nameOf(uri, [root]);
  const [before, after] = [modeOf(file.before), modeOf(file.after)];
  const octal = (mode: number) => mode.toString(8).padStart(3, "0");
  const { id, content, added, removed } = file;
  return {
    ...{ id, uri, label, place, languageId: languageId(label), content, added, removed, conflict },
    path: printable(file.path),
    kind: kindOf(file),
    from: file.from === null ? null : printable(file.from),
    mode:
      before === null || after === null || before === after
        ? null
        : { before: octal(before), after: octal(after) },
    state: stateOf(file),
    seen: file.seen === keyOf(file) || isDecided(file),
    lost: lostOf(file),
  };
}
