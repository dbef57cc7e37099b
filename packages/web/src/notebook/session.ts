import type { Uri } from "@lockstep/protocol";
import type {
  Events,
  NotebookChange,
  NotebookSnapshot,
  ShownRun,
  WholeCell,
} from "@lockstep/workbench/contract";
import { batch, createSignal, type Signal, untrack } from "solid-js";
import { call, linkStatus, on, onLink } from "../replica/link.js";
import { type CellListener, cellName, OpenCell } from "./open-cell.js";

/** A long event goes another way than a short one: one that comes too early waits this long for those before it. */
const PATIENCE_MS = 2_000;

/** "edit": the person types into the cell; "command": keys are meant for cells as a whole. */
export type Mode = "command" | "edit";

/**
 * A notebook that this window has shown: its cells as the workbench has them, and which of them the
 * person is in. It stays in step while something else is shown.
 */
export class NotebookSession {
  readonly #listener: CellListener;
  readonly #stops: (() => void)[] = [];
  readonly #open = new Map<string, Promise<OpenCell>>();
  readonly #keys = createSignal<readonly string[]>([]);
  /** A cell that changes is another value, in which what did not change is the same. */
  readonly #cells = new Map<string, Signal<WholeCell>>();
  readonly #agentRuns = createSignal<readonly ShownRun[]>([]);
  readonly #phase = createSignal<"loading" | "shown" | { readonly failed: string }>("loading");
  readonly #selected = createSignal<string | null>(null);
  readonly #mode = createSignal<Mode>("command");
  /** Markdown cells that are shown as text, to be edited. */
  readonly #edited = createSignal<ReadonlySet<string>>(new Set());
  #uri: Uri;
  #revision = -1;
  readonly #early = new Map<number, readonly NotebookChange[]>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(uri: Uri, listener: CellListener) {
    this.#uri = uri;
    this.#listener = listener;
    this.#stops.push(
      on("notebook.changed", (event) => this.#hear(event)),
      onLink(() => this.attach()),
    );
  }

  get uri(): Uri {
    return this.#uri;
  }

  get phase() {
    return this.#phase[0]();
  }

  get keys(): readonly string[] {
    return this.#keys[0]();
  }

  get agentRuns(): readonly ShownRun[] {
    return this.#agentRuns[0]();
  }

  cell(key: string): WholeCell | undefined {
    return this.#cells.get(key)?.[0]();
  }

  /** The cell that the person is in, or was in last. */
  get selected(): string | null {
    const key = this.#selected[0]();
    return key !== null && this.keys.includes(key) ? key : (this.keys[0] ?? null);
  }

  get mode(): Mode {
    return this.#mode[0]();
  }

  select(key: string, mode: Mode): void {
    batch(() => {
      this.#selected[1](key);
      this.#mode[1](mode);
    });
  }

  isEdited(key: string): boolean {
    return this.#edited[0]().has(key);
  }

  setEdited(key: string, edited: boolean): void {
    const next = new Set(this.#edited[0]());
    if (edited) next.add(key);
    else next.delete(key);
    this.#edited[1](next);
  }

  /** The text of a cell, attached to the workbench's. */
  open(key: string): Promise<OpenCell> {
    const known = this.#open.get(key);
    if (known) return known;
    const opening = call("text.attach", { name: cellName(this.#uri, key) }).then(
      (snapshot) => new OpenCell(this.#uri, key, snapshot, this.#listener),
    );
    this.#open.set(key, opening);
    opening.catch(() => this.#open.delete(key));
    return opening;
  }

  /** Gets all cells anew. */
  async attach(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    try {
      this.#takeAll(await call("notebook.attach", { uri: this.#uri, keys: [...this.keys] }));
    } catch (problem) {
      // Without a link it is asked for again by itself; what is shown stays.
      if (linkStatus() !== "open" || this.#phase[0]() === "shown") return;
      const failed = problem instanceof Error ? problem.message : String(problem);
      this.#phase[1]({ failed });
    }
  }

  rename(uri: Uri): void {
    this.#uri = uri;
    for (const opening of this.#open.values()) {
      void opening.then((cell) => cell.rename(uri)).catch(() => {});
    }
    void this.attach();
  }

  /** Whether some edit is nowhere but in this window. */
  async hasUnsent(): Promise<boolean> {
    const cells = await Promise.allSettled(this.#open.values());
    return cells.some((cell) => cell.status === "fulfilled" && cell.value.unsent);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    for (const stop of this.#stops) stop();
    for (const key of [...this.#open.keys()]) this.#close(key);
    void call("notebook.detach", { uri: this.#uri }).catch(() => {});
  }

  #hear({ uri, revision, changes }: Events["notebook.changed"]): void {
    if (uri !== this.#uri || revision <= this.#revision) return;
    this.#early.set(revision, changes);
    batch(() => {
      for (;;) {
        const next = this.#early.get(this.#revision + 1);
        if (!next || this.#revision < 0) break;
        this.#early.delete(++this.#revision);
        for (const change of next) this.#take(change);
      }
    });
    if (this.#early.size === 0) {
      clearTimeout(this.#timer);
      this.#timer = undefined;
    } else this.#timer ??= setTimeout(() => void this.attach(), PATIENCE_MS);
  }

  #takeAll({ revision, cells, agentRuns }: NotebookSnapshot): void {
    this.#revision = revision;
    for (const early of [...this.#early.keys()]) if (early <= revision) this.#early.delete(early);
    batch(() => {
      for (const cell of cells) this.#put(cell);
      this.#agentRuns[1](agentRuns);
      this.#setKeys(cells.map(({ key }) => key));
      this.#phase[1]("shown");
    });
  }

  #take(change: NotebookChange): void {
    switch (change.kind) {
      case "cells":
        for (const cell of change.added) this.#put(cell);
        this.#setKeys(change.keys);
        break;
      case "cell":
        this.#change(change.cell.key, () => change.cell);
        break;
      case "outputs":
        this.#change(change.key, ({ outputs }) => ({
          outputs: [...outputs.slice(0, change.from), ...change.outputs],
        }));
        break;
      case "attachments":
        this.#change(change.key, () => ({ attachments: change.attachments }));
        break;
      case "agentRun":
        this.#takeRun(change.run);
    }
  }

  #put(cell: WholeCell): void {
    const known = this.#cells.get(cell.key);
    if (known) known[1](cell);
    else this.#cells.set(cell.key, createSignal(cell));
  }

  #change(key: string, next: (cell: WholeCell) => Partial<WholeCell>): void {
    this.#cells.get(key)?.[1]((cell) => ({ ...cell, ...next(cell) }));
  }

  #takeRun(run: ShownRun): void {
    this.#agentRuns[1]((runs) =>
      runs.some(({ id }) => id === run.id)
        ? runs.map((each) => (each.id === run.id ? run : each))
        : [...runs, run],
    );
  }

  #setKeys(keys: readonly string[]): void {
    const before = untrack(() => this.keys);
    const gone = before.filter((key) => !keys.includes(key));
    const selected = untrack(this.#selected[0]);
    if (selected !== null && gone.includes(selected)) {
      const place = before.indexOf(selected);
      const next = keys[Math.min(place, keys.length - 1)];
      this.#selected[1](next ?? null);
      this.#mode[1]("command");
    }
    this.#keys[1](keys);
    for (const key of gone) {
      this.#cells.delete(key);
      this.#close(key);
    }
  }

  #close(key: string): void {
    const opening = this.#open.get(key);
    this.#open.delete(key);
    void opening?.then((cell) => cell.dispose()).catch(() => {});
  }
}
