import { getSyncedVersion, receiveUpdates, sendableUpdates } from "@codemirror/collab";
import { isolateHistory } from "@codemirror/commands";
import { ChangeSet, type EditorState, Text, type Transaction } from "@codemirror/state";
import type { TextSnapshot, Update } from "@lockstep/workbench/contract";
import { textDifference } from "./text-difference.js";

/** What holds the state: an EditorView, or whatever keeps it while no view shows it. */
export interface StateHolder {
  readonly state: EditorState;
  dispatch(transaction: Transaction): void;
}

interface Change {
  readonly clientID: string;
  readonly changes: ChangeSet;
}

export interface SyncedCopyOptions {
  readonly clientID: string;
  /** Whether the person's undo takes back a change that the workbench made, by its name for itself. */
  readonly isUndoable: (by: string) => boolean;
  /** Does it without anything being sent meanwhile. */
  readonly quietly: (act: () => void) => void;
}

/**
 * A window's copy of a shared text: what the workbench has confirmed, and the edits on top of it. It
 * takes in what the workbench says, in whatever state the two are; who asks and when is another matter.
 */
export class SyncedCopy {
  readonly #options: SyncedCopyOptions;
  #holder: StateHolder | null = null;
  /** The text at the version that the workbench has confirmed. */
  #synced: Text;
  /** The workbench's version less that of CodeMirror's collab, which cannot go back. */
  #offset = 0;

  constructor(text: string, options: SyncedCopyOptions) {
    this.#synced = Text.of(text.split("\n"));
    this.#options = options;
  }

  get text(): Text {
    return this.#synced;
  }

  get isHeld(): boolean {
    return this.#holder !== null;
  }

  hold(holder: StateHolder | null): void {
    this.#holder = holder;
  }

  /** The version of the workbench's that the state is at, without its own unsent edits. */
  get version(): number {
    return this.#holder ? getSyncedVersion(this.#holder.state) + this.#offset : 0;
  }

  /** Edits that are not confirmed. */
  get unsent(): readonly Change[] {
    return this.#holder ? sendableUpdates(this.#holder.state) : [];
  }

  /** All of them together. */
  get sinceConfirmed(): ChangeSet {
    const empty = ChangeSet.empty(this.#synced.length);
    return this.unsent.reduce((done, { changes }) => done.compose(changes), empty);
  }

  /** Updates from `version` on, of which some may be known already. */
  receive(version: number, updates: readonly Update[]): void {
    const fresh = updates.slice(this.version - version).map(({ clientID, changes }) => ({
      clientID,
      changes: ChangeSet.fromJSON(changes),
    }));
    if (fresh.length > 0) this.#apply(fresh);
  }

  /**
   * The text has another life now. What it has of our edits counts as confirmed; the rest is moved
   * over the difference between the text that we knew and the one there is.
   */
  startAnew({ version, text }: TextSnapshot): void {
    const now = Text.of(text.split("\n"));
    const known = this.unsent.slice(0, this.#arrived(now));
    if (known.length > 0) this.#apply(known);
    const changes = textDifference(this.#synced, now);
    if (!changes.empty) this.#apply([{ clientID: "", changes }]);
    this.#offset += version - this.version;
  }

  /** Undoes all edits that are not confirmed. */
  takeBack(): void {
    const before = this.#synced;
    const version = this.version;
    const all = this.sinceConfirmed;
    this.#apply(this.unsent);
    this.#apply([{ clientID: "", changes: all.invert(before) }]);
    this.#offset += version - this.version;
  }

  /** One by one while edits wait: moving them over two updates is not moving them over both at once. */
  #apply(updates: readonly Change[]): void {
    if (this.unsent.length > 0) for (const update of updates) this.#applyOne(update);
    else if (updates.every(({ clientID }) => this.#options.isUndoable(clientID))) {
      for (const update of updates) this.#takeUndoably(update);
    } else this.#take(updates);
  }

  /**
   * The workbench may have moved an edit of ours another way than we did. Its way holds: else the
   * window would show another text than everybody else from then on.
   */
  #applyOne(update: Change): void {
    const [ours] = this.unsent;
    if (ours?.clientID !== update.clientID || isSame(ours.changes, update.changes)) {
      this.#take([update]);
      return;
    }
    const back = ours.changes.invert(this.#synced);
    const version = this.version + 1;
    this.#take([ours]);
    this.#take([{ clientID: "", changes: back.compose(update.changes) }]);
    this.#offset += version - this.version;
  }

  /** As if the person had made the change here, and it were confirmed already. */
  #takeUndoably({ changes }: Change): void {
    const holder = this.#holder;
    if (!holder) return;
    this.#options.quietly(() => {
      const annotations = isolateHistory.of("full");
      holder.dispatch(holder.state.update({ changes, annotations, filter: false }));
      this.#take([{ clientID: this.#options.clientID, changes }]);
    });
  }

  #take(updates: readonly Change[]): void {
    if (!this.#holder) return;
    for (const { changes } of updates) this.#synced = changes.apply(this.#synced);
    this.#holder.dispatch(receiveUpdates(this.#holder.state, updates));
  }

  /** As many of our edits as lead exactly to `now`; 0 if none do. */
  #arrived(now: Text): number {
    let text = this.#synced;
    let arrived = 0;
    this.unsent.forEach(({ changes }, index) => {
      text = changes.apply(text);
      if (text.length === now.length && text.eq(now)) arrived = index + 1;
    });
    return arrived;
  }
}

const isSame = (a: ChangeSet, b: ChangeSet): boolean =>
  JSON.stringify(a.toJSON()) === JSON.stringify(b.toJSON());
