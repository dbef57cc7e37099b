import { lstat, mkdir, open } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { fileUri, isWithin, type Uri } from "@lockstep/protocol";
import { isAbsent, refusal } from "../disk-errors.js";
import { WorkbenchError } from "../errors.js";
import { Queue } from "../queue.js";
import type { DiskChange } from "./disk-watch.js";
import type { Fence } from "./fence.js";
import { absent, makeFolders, moveTo, taken, unmakeFolders } from "./moving.js";
import type { OpenDocuments } from "./open-documents.js";
import type { Trash, Trashed, TrashLimits } from "./trash.js";

/** A step that can be taken back; `back` fails with a sentence and then has changed nothing. */
export interface UndoStep {
  /** Such as "Delete notes.md". */
  readonly label: string;
  /** What it takes out of the trash again. */
  readonly needs?: readonly Trashed[];
  readonly back: () => Promise<void>;
}

export interface OperationsListener {
  /** What undo would take back now. */
  undoable(label: string | null): void;
  /** What changed on disk by this; the watcher may see it too. */
  changed(changes: readonly DiskChange[]): Promise<void>;
}

/** So many steps can be taken back. */
const MOST_STEPS = 100;

/** Makes, moves and deletes files. Nothing is overwritten, and each step can be taken back. */
export class Operations {
  readonly #fence: Fence;
  readonly #trash: Trash;
  readonly #documents: Pick<OpenDocuments, "moved">;
  readonly #told: OperationsListener;
  #steps: readonly UndoStep[] = [];
  /** One after the other, or a check could be outrun by the next step. */
  readonly #queue = new Queue();

  constructor(
    fence: Fence,
    trash: Trash,
    documents: Pick<OpenDocuments, "moved">,
    told: OperationsListener,
  ) {
    this.#fence = fence;
    this.#trash = trash;
    this.#documents = documents;
    this.#told = told;
  }

  create(uri: Uri, kind: "file" | "folder"): Promise<void> {
    return this.#queue.take(async () => {
      const path = await this.#fence.place(uri);
      const name = basename(path);
      const made = await this.#try(`${name} could not be made`, async () => {
        if (await lstat(path).catch(absent)) throw taken(path);
        const folders = await makeFolders(dirname(path));
        try {
          if (kind === "folder") await mkdir(path);
          else await (await open(path, "wx")).close();
        } catch (problem) {
          await unmakeFolders(folders);
          throw problem;
        }
        return folders;
      });
      await this.#told.changed(come([...made, path]));
      this.remember({
        label: `Create ${name}`,
        back: async () => {
          // It may have been filled since.
          await this.#trash.take(path);
          await unmakeFolders(made);
          await this.#told.changed(gone([path, ...made]));
        },
      });
    });
  }

  rename(fromUri: Uri, toUri: Uri): Promise<void> {
    return this.#queue.take(async () => {
      const from = await this.#fence.place(fromUri);
      const to = await this.#fence.place(toUri);
      if (from === to) return;
      const name = basename(from);
      const made = await this.#try(`${name} could not be moved`, () => this.#move(from, to));
      const verb = dirname(from) === dirname(to) ? "Rename" : "Move";
      this.remember({
        label: `${verb} ${name}`,
        back: async () => {
          await this.#move(to, from);
          await unmakeFolders(made);
          await this.#told.changed(gone(made));
        },
      });
    });
  }

  delete(uris: readonly Uri[]): Promise<void> {
    return this.#queue.take(async () => {
      const places: string[] = [];
      for (const uri of uris) places.push(await this.#fence.place(uri));
      const paths = outermost(places);
      const [first] = paths;
      if (first === undefined) return;
      for (const path of paths) {
        await this.#try(`${basename(path)} could not be deleted`, () => lstat(path));
      }
      const trashed: Trashed[] = [];
      try {
        for (const path of paths) trashed.push(await this.#trash.take(path));
      } catch (problem) {
        for (const item of trashed.reverse()) await this.#trash.giveBack(item);
        const name = basename(paths[trashed.length] ?? first);
        throw refusal(`${name} could not be deleted`, problem);
      }
      await this.#told.changed(gone(paths));
      const what = paths.length === 1 ? basename(first) : `${paths.length} items`;
      const back = () => this.#restore(trashed);
      this.remember({ label: `Delete ${what}`, needs: trashed, back });
    });
  }

  /**
   * Takes back the last step, or that one, if it was not taken back before. Answers the label of what
   * was taken back; null for nothing. A failed step can be tried again.
   */
  undo(wanted?: UndoStep): Promise<string | null> {
    return this.#queue.take(async () => {
      const step = wanted ? this.#steps.find((each) => each === wanted) : this.#steps.at(-1);
      if (!step) return null;
      const forget = () => this.#setSteps(this.#steps.filter((other) => other !== step));
      await this.#try(`"${step.label}" could not be taken back`, () =>
        step.back().catch((problem: unknown) => {
          // What is gone does not come back by trying again.
          if (isAbsent(problem)) forget();
          throw problem;
        }),
      );
      forget();
      return step.label;
    });
  }

  /** The trash without what is too old or too much; what can still be taken back stays. */
  pruneTrash(limits?: TrashLimits, now?: number): Promise<void> {
    return this.#queue.take(() => {
      const needed = this.#steps.flatMap(({ needs = [] }) => needs.map(({ id }) => id));
      return this.#trash.prune(limits, now, new Set(needed));
    });
  }

  remember(step: UndoStep): void {
    this.#setSteps([...this.#steps, step].slice(-MOST_STEPS));
  }

  #setSteps(steps: readonly UndoStep[]): void {
    this.#steps = steps;
    this.#told.undoable(steps.at(-1)?.label ?? null);
  }

  async #move(from: string, to: string): Promise<readonly string[]> {
    if (isWithin(to, from)) throw new WorkbenchError("A folder cannot be moved into itself.");
    await lstat(from);
    const made = await makeFolders(dirname(to));
    try {
      await moveTo(from, to);
    } catch (problem) {
      await unmakeFolders(made);
      throw problem;
    }
    await this.#documents.moved(fileUri(from), fileUri(to));
    await this.#told.changed([...gone([from]), ...come([...made, to])]);
    return made;
  }

  /** All of them or, if a place is taken, none. */
  async #restore(trashed: readonly Trashed[]): Promise<void> {
    for (const { from } of trashed) {
      if (await lstat(from).catch(absent)) {
        throw new WorkbenchError(
          `${basename(from)} cannot be put back, because something of that name is there now: rename that, and undo again.`,
        );
      }
    }
    const back: string[] = [];
    for (const item of trashed) {
      back.push(...(await makeFolders(dirname(item.from))), item.from);
      await this.#trash.giveBack(item);
    }
    await this.#told.changed(come(back));
  }

  async #try<Result>(what: string, step: () => Promise<Result>): Promise<Result> {
    try {
      return await step();
    } catch (problem) {
      throw refusal(what, problem);
    }
  }
}

const gone = (paths: readonly string[]): DiskChange[] =>
  paths.map((path) => ({ path, kind: "delete" }));
const come = (paths: readonly string[]): DiskChange[] =>
  paths.map((path) => ({ path, kind: "create" }));

/** Without those that are in another one of them, each once. */
function outermost(paths: readonly string[]): readonly string[] {
  const all = new Set(paths);
  const isInAnother = (path: string) => {
    for (let at = dirname(path); at !== dirname(at); at = dirname(at)) if (all.has(at)) return true;
    return false;
  };
  return [...all].filter((path) => !isInAnother(path)).sort();
}
