import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DEFAULTS } from "../../src/contract/settings.js";
import type { TurnFileInfo, TurnInfo, TurnOutcome } from "../../src/contract/turns.js";
import { Documents } from "../../src/documents/documents.js";
import { initialState } from "../../src/state/initial-state.js";
import { Store } from "../../src/state/store.js";
import { SharedTexts } from "../../src/texts/shared-texts.js";
import { Turns, type TurnsOptions } from "../../src/turns/turns.js";
import type { Window } from "../../src/windows/window.js";

const WINDOW: Window = { number: 1, send: () => {}, onClose: () => ({ [Symbol.dispose]() {} }) };

/** Turns without a page and without a watcher: what has changed is said by who changed it. */
export class DirectScene implements AsyncDisposable {
  readonly root: string;
  readonly stateDir: string;
  readonly store: Store;
  readonly turns: Turns;
  readonly documents: Documents;

  private constructor(root: string, store: Store, documents: Documents, turns: Turns) {
    this.root = root;
    this.stateDir = join(root, "..", "state");
    this.store = store;
    this.documents = documents;
    this.turns = turns;
  }

  static async open(
    prepare: (folder: string) => void | Promise<void>,
    options: TurnsOptions = {},
  ): Promise<DirectScene> {
    const top = await realpath(await mkdtemp(join(tmpdir(), "lockstep-turns-")));
    const [root, stateDir] = [join(top, "project"), join(top, "state")];
    await mkdir(root);
    await mkdir(stateDir);
    await prepare(root);
    return DirectScene.at(top, options);
  }

  /** On the folders of an earlier one. */
  static async at(top: string, options: TurnsOptions = {}): Promise<DirectScene> {
    const [root, stateDir] = [join(top, "project"), join(top, "state")];
    const store = new Store(initialState(root));
    const texts = new SharedTexts();
    const surroundings = {
      ...{ store, stateDir, folders: [root], broadcast: () => {} },
      report: (problem: unknown) => {
        throw problem;
      },
    };
    const documents = await Documents.open(surroundings, texts, () => DEFAULTS);
    const turns = await Turns.open(surroundings, texts, documents, options);
    await turns.ready;
    return new DirectScene(root, store, documents, turns);
  }

  path(name: string): string {
    return join(this.root, name);
  }

  /** These files have changed. */
  async changed(...names: readonly string[]): Promise<readonly TurnFileInfo[]> {
    this.turns.noticeDisk(names.map((name) => this.path(name)));
    await this.turns.idle();
    return this.files();
  }

  async prompt(): Promise<TurnInfo> {
    const before = this.running.id;
    this.turns.checkpoint({ id: "agent", name: "Agent" });
    await this.turns.idle();
    if (this.running.id === before) throw new Error("No new turn");
    return this.running;
  }

  get running(): TurnInfo {
    const all = Object.values(this.store.state.turns).filter(({ until }) => until === null);
    const [found] = all.sort((a, b) => b.since - a.since);
    if (!found) throw new Error("No turn runs");
    return found;
  }

  async files(turn = this.running.id): Promise<readonly TurnFileInfo[]> {
    return this.turns.handlers["turn.files"]({ turn }, WINDOW);
  }

  async hunks(file: string, turn = this.running.id) {
    const { review } = await this.turns.handlers["turn.attach"]({ turn, file }, WINDOW);
    return review;
  }

  async decide(
    decision: "kept" | "undone",
    file?: string,
    hunk?: number,
    turn = this.running.id,
  ): Promise<TurnOutcome> {
    return this.turns.handlers["turn.decide"]({ turn, file, hunk, decision }, WINDOW);
  }

  async act(name: "undo" | "redo", turn = this.running.id): Promise<TurnOutcome> {
    return this.turns.handlers[`turn.${name}`]({ turn }, WINDOW);
  }

  /** Ends it, and leaves the folders. */
  async close(): Promise<string> {
    await this.turns[Symbol.asyncDispose]();
    await this.documents[Symbol.asyncDispose]();
    return join(this.root, "..");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
    await rm(join(this.root, ".."), { recursive: true, force: true });
  }
}
