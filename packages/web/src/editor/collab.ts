import { collab, getSyncedVersion, receiveUpdates, sendableUpdates } from "@codemirror/collab";
import { isolateHistory } from "@codemirror/commands";
import {
  ChangeSet,
  type EditorState,
  type Extension,
  Text,
  type Transaction,
} from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { ConnectionClosed, RpcError } from "@lockstep/protocol";
import type { TextSnapshot, Update } from "@lockstep/workbench/contract";
import { afterFrame } from "./after-frame.js";
import { textDifference } from "./text-difference.js";
import type { TextWire } from "./text-wire.js";

/** What holds the state: an EditorView, or whatever keeps it while no view shows it. */
export interface StateHolder {
  readonly state: EditorState;
  dispatch(transaction: Transaction): void;
}

export interface CollabOptions {
  /** A document's URI, or `proposal:<id>`. */
  readonly name: string;
  /** What the state begins with: `EditorState.create({ doc: snapshot.text })`. */
  readonly snapshot: TextSnapshot;
  readonly wire: TextWire;
  /** The workbench does not take the edits: `why` is its sentence. Those to a text that may not be edited are taken back. */
  readonly onRefused: (why: string) => void;
  /** All edits are on their way: what is said now reaches the workbench after them. */
  readonly onSent?: () => void;
  /** Whether the person's undo takes back a change that the workbench made, by its name for itself. */
  readonly isUndoable?: (by: string) => boolean;
  /** The workbench does not know the text any more; opens it again if it can. */
  readonly revive?: () => Promise<void>;
}

interface Change {
  readonly clientID: string;
  readonly changes: ChangeSet;
}

/** What is to be done before edits can be sent: "attach" asks for the whole text. */
type Need = "nothing" | "pull" | "attach";

/** How long it waits where something failed that was neither the workbench nor the link. */
const RETRY_MS = 1_000;

const clients = new Set<CollabClient>();

/** Some text of this window has edits that the workbench has not confirmed. */
export const hasUnsentEdits = (): boolean => [...clients].some(({ unsent }) => unsent);

/** Some of them will be confirmed by waiting; others the workbench does not take. */
export const areEditsComing = (): boolean => [...clients].some(({ coming }) => coming);

/**
 * Keeps a window's copy of a shared text in step with the workbench: sends edits as soon as the last
 * ones are answered, takes in those of others, and finds its way back after a loss of the link or of
 * the text's history. Nothing typed is lost on the way.
 *
 * Make it, put its `extension` into the state, `start` it with what holds the state, and `dispose`
 * it in the end. It needs no view.
 */
export class CollabClient {
  readonly extension: Extension;
  readonly #options: CollabOptions;
  readonly #clientID = crypto.randomUUID();
  readonly #stops: (() => void)[] = [];
  #holder: StateHolder | null = null;
  /** The text at the version that the workbench has confirmed. */
  #synced: Text;
  #name: string;
  #epoch: string;
  /** The workbench's version less that of CodeMirror's collab, which cannot go back. */
  #offset = 0;
  #need: Need = "nothing";
  /** Edits that a push under way carries. */
  #carried = 0;
  #working = false;
  /** The workbench did not take what it was asked to last. */
  #refused = false;
  /** A push failed on this ground already: the next failure is a refusal. */
  #doubted = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #pushSoon = afterFrame(() => this.push());

  constructor(options: CollabOptions) {
    this.#options = options;
    this.#name = options.name;
    this.#synced = Text.of(options.snapshot.text.split("\n"));
    this.#epoch = options.snapshot.epoch;
    this.extension = [
      collab({ startVersion: options.snapshot.version, clientID: this.#clientID }),
      EditorView.updateListener.of(({ docChanged }) => {
        if (docChanged) this.#pushSoon();
      }),
    ];
  }

  /** The text to create the state with, so that it is split only once. */
  get text(): Text {
    return this.#synced;
  }

  start(holder: StateHolder): void {
    this.#holder = holder;
    clients.add(this);
    const { wire } = this.#options;
    this.#stops.push(
      wire.onUpdates((event) => {
        if (event.name === this.#name) this.#hear(event);
      }),
      // It was attached over this very link: only later ones matter.
      wire.onLater(async () => this.attachAnew()),
    );
    this.push();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    clients.delete(this);
    for (const stop of this.#stops) stop();
    this.#holder = null;
    void this.#options.wire.detach(this.#name).catch(() => {});
  }

  /** The version of the workbench's that the state is at, without its own unsent edits. */
  get version(): number {
    return this.#holder ? getSyncedVersion(this.#holder.state) + this.#offset : 0;
  }

  /** The text that the workbench has confirmed, and what this window has changed of it since. */
  get confirmed(): { readonly text: Text; readonly since: ChangeSet } {
    const empty = ChangeSet.empty(this.#synced.length);
    const since = this.#sendable().reduce((done, { changes }) => done.compose(changes), empty);
    return { text: this.#synced, since };
  }

  /** Some edits are not confirmed. */
  get unsent(): boolean {
    return this.#holder !== null && sendableUpdates(this.#holder.state).length > 0;
  }

  /** Some edits are not confirmed, and will be. */
  get coming(): boolean {
    return this.unsent && !this.#refused;
  }

  /** Some edits have not even been sent. */
  get waiting(): boolean {
    return this.#sendable().length > this.#carried;
  }

  /** The same text goes by another name from now on. */
  rename(name: string): void {
    this.#name = name;
    this.attachAnew();
  }

  /** Asks the workbench for the text again, and takes in what differs. */
  attachAnew(): void {
    this.#need = "attach";
    this.push();
  }

  /** Sends what waits, unless something is under way: then it follows by itself. */
  push(): void {
    void this.#work();
  }

  async #work(): Promise<void> {
    if (this.#working) return;
    this.#working = true;
    this.#refused = false;
    try {
      while (this.#holder && (this.#need !== "nothing" || this.unsent)) {
        if (this.#need === "attach") await this.#attach();
        else if (this.#need === "pull") await this.#pull();
        else await this.#push();
      }
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#working = false;
    }
  }

  /** Without a link it waits for the next one. Where the workbench refuses, the next edit asks again. */
  #fail(error: unknown): void {
    if (!this.#holder) return;
    this.#need = "attach";
    if (error instanceof ConnectionClosed) return;
    if (error instanceof RpcError) {
      this.#refused = true;
      this.#options.onRefused(error.message);
      return;
    }
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.push(), RETRY_MS);
  }

  async #push(): Promise<void> {
    const { wire } = this.#options;
    const name = this.#name;
    const { version } = this;
    const updates = this.#sendable().map(({ clientID, changes }) => ({
      clientID,
      changes: changes.toJSON() as unknown[],
    }));
    try {
      const answer = wire.push({ name, epoch: this.#epoch, version, updates });
      this.#carried = updates.length;
      this.#options.onSent?.();
      const taken = await answer;
      // The updates come back as an event, which is here before the answer unless it is long.
      if (!taken || this.version === version) this.#need = "pull";
      this.#doubted = false;
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      // It may be the ground that is wrong: once more from a new one, then it is a refusal.
      if (this.#doubted) this.#takeBack(error.message);
      else this.#need = "attach";
      this.#doubted = !this.#doubted;
    } finally {
      this.#carried = 0;
    }
  }

  async #pull(): Promise<void> {
    const { wire } = this.#options;
    const name = this.#name;
    const { version } = this;
    // Before the question: what is heard until the answer may need another one.
    this.#need = "nothing";
    const missed = await wire.pull({ name, epoch: this.#epoch, version });
    if (missed) this.#receive(version, missed);
    else this.#need = "attach";
  }

  /** This window may be new to the workbench, so it attaches; the text matters only where pull fails. */
  async #attach(): Promise<void> {
    const { wire } = this.#options;
    const name = this.#name;
    this.#need = "nothing";
    const snapshot = await this.#snapshot();
    const { version } = this;
    const missed =
      snapshot.epoch === this.#epoch
        ? await wire.pull({ name, epoch: this.#epoch, version })
        : null;
    if (missed) this.#receive(version, missed);
    else this.#startAnew(snapshot);
  }

  async #snapshot(): Promise<TextSnapshot> {
    const { wire, revive } = this.#options;
    const name = this.#name;
    try {
      return await wire.attach(name);
    } catch (error) {
      if (!(error instanceof RpcError) || !revive || !this.unsent) throw error;
      await revive();
      return wire.attach(name);
    }
  }

  #hear({
    epoch,
    version,
    updates,
  }: {
    epoch: string;
    version: number;
    updates: readonly Update[];
  }) {
    if (this.#need === "attach") return;
    if (epoch !== this.#epoch) this.#need = "attach";
    else if (version > this.version) this.#need = "pull";
    else return this.#receive(version, updates);
    this.push();
  }

  /** Updates from `version` on, of which some may be known already. */
  #receive(version: number, updates: readonly Update[]): void {
    const fresh = updates.slice(this.version - version).map(({ clientID, changes }) => ({
      clientID,
      changes: ChangeSet.fromJSON(changes),
    }));
    if (fresh.length > 0) this.#apply(fresh);
  }

  /** One by one while edits wait: moving them over two updates is not moving them over both at once. */
  #apply(updates: readonly Change[]): void {
    if (this.unsent) for (const update of updates) this.#applyOne(update);
    else if (updates.every(({ clientID }) => this.#options.isUndoable?.(clientID))) {
      for (const update of updates) this.#takeUndoably(update);
    } else this.#take(updates);
  }

  /**
   * The workbench may have moved an edit of ours another way than we did. Its way holds: else the
   * window would show another text than everybody else from then on.
   */
  #applyOne(update: Change): void {
    const [ours] = this.#sendable();
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
    if (!this.#holder) return;
    const before = this.#working;
    // Nothing is to be sent between the two steps.
    this.#working = true;
    this.#holder.dispatch(
      this.#holder.state.update({ changes, annotations: isolateHistory.of("full"), filter: false }),
    );
    this.#take([{ clientID: this.#clientID, changes }]);
    this.#working = before;
  }

  #take(updates: readonly Change[]): void {
    if (!this.#holder) return;
    for (const { changes } of updates) this.#synced = changes.apply(this.#synced);
    this.#holder.dispatch(receiveUpdates(this.#holder.state, updates));
  }

  /**
   * The text has another life now. What it has of our edits counts as confirmed; the rest is moved
   * over the difference between the text that we knew and the one there is.
   */
  #startAnew({ epoch, version, text }: TextSnapshot): void {
    const now = Text.of(text.split("\n"));
    const known = this.#sendable().slice(0, this.#arrived(now));
    if (known.length > 0) this.#apply(known);
    const changes = textDifference(this.#synced, now);
    if (!changes.empty) this.#apply([{ clientID: "", changes }]);
    this.#epoch = epoch;
    this.#offset += version - this.version;
  }

  /** As many of our edits as lead exactly to `now`; 0 if none do. */
  #arrived(now: Text): number {
    let text = this.#synced;
    let arrived = 0;
    this.#sendable().forEach(({ changes }, index) => {
      text = changes.apply(text);
      if (text.length === now.length && text.eq(now)) arrived = index + 1;
    });
    return arrived;
  }

  #takeBack(why: string): void {
    const edits = this.#sendable();
    const before = this.#synced;
    const version = this.version;
    const empty = ChangeSet.empty(before.length);
    const all = edits.reduce((done, { changes }) => done.compose(changes), empty);
    this.#apply(edits);
    this.#apply([{ clientID: "", changes: all.invert(before) }]);
    this.#offset += version - this.version;
    this.#options.onRefused(why);
  }

  #sendable(): readonly Change[] {
    return this.#holder ? sendableUpdates(this.#holder.state) : [];
  }
}

const isSame = (a: ChangeSet, b: ChangeSet): boolean =>
  JSON.stringify(a.toJSON()) === JSON.stringify(b.toJSON());
