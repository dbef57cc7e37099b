import { collab } from "@codemirror/collab";
import type { ChangeSet, Extension, Text } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { ConnectionClosed, RpcError } from "@lockstep/protocol";
import type { TextSnapshot, Update } from "@lockstep/workbench/contract";
import { afterFrame } from "./after-frame.js";
import { type StateHolder, SyncedCopy } from "./synced-copy.js";
import type { TextWire } from "./text-wire.js";

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
  readonly #stops: (() => void)[] = [];
  readonly #copy: SyncedCopy;
  #name: string;
  #epoch: string;
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
    this.#epoch = options.snapshot.epoch;
    const clientID = crypto.randomUUID();
    this.#copy = new SyncedCopy(options.snapshot.text, {
      clientID,
      isUndoable: (by) => options.isUndoable?.(by) ?? false,
      quietly: (act) => this.#quietly(act),
    });
    this.extension = [
      collab({ startVersion: options.snapshot.version, clientID }),
      EditorView.updateListener.of(({ docChanged }) => {
        if (docChanged) this.#pushSoon();
      }),
    ];
  }

  /** The text to create the state with, so that it is split only once. */
  get text(): Text {
    return this.#copy.text;
  }

  start(holder: StateHolder): void {
    this.#copy.hold(holder);
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
    this.#copy.hold(null);
    void this.#options.wire.detach(this.#name).catch(() => {});
  }

  /** The version of the workbench's that the state is at, without its own unsent edits. */
  get version(): number {
    return this.#copy.version;
  }

  /** The text that the workbench has confirmed, and what this window has changed of it since. */
  get confirmed(): { readonly text: Text; readonly since: ChangeSet } {
    return { text: this.#copy.text, since: this.#copy.sinceConfirmed };
  }

  /** Some edits are not confirmed. */
  get unsent(): boolean {
    return this.#copy.unsent.length > 0;
  }

  /** Some edits are not confirmed, and will be. */
  get coming(): boolean {
    return this.unsent && !this.#refused;
  }

  /** Some edits have not even been sent. */
  get waiting(): boolean {
    return this.#copy.unsent.length > this.#carried;
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
      while (this.#copy.isHeld && (this.#need !== "nothing" || this.unsent)) {
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
    if (!this.#copy.isHeld) return;
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
    const updates = this.#copy.unsent.map(({ clientID, changes }) => ({
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
    if (missed) this.#copy.receive(version, missed);
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
    if (missed) this.#copy.receive(version, missed);
    else {
      this.#copy.startAnew(snapshot);
      this.#epoch = snapshot.epoch;
    }
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
    else return this.#copy.receive(version, updates);
    this.push();
  }

  #quietly(act: () => void): void {
    const before = this.#working;
    this.#working = true;
    act();
    this.#working = before;
  }

  #takeBack(why: string): void {
    this.#copy.takeBack();
    this.#options.onRefused(why);
  }
}
