import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ChangeSet, type ChangeSpec } from "@codemirror/state";
import type { Agent, Outcome, Review } from "@lockstep/editor";
import { fileUri, type Uri } from "@lockstep/protocol";
import type { DocumentInfo } from "../../src/contract/documents.js";
import type { EventName, Events, ProposalInfo } from "../../src/contract/index.js";
import { Reviews } from "../../src/reviews/reviews.js";
import { initialState } from "../../src/state/initial-state.js";
import { Store } from "../../src/state/store.js";
import { SharedText } from "../../src/texts/shared-text.js";
import { SharedTexts } from "../../src/texts/shared-texts.js";
import type { Window } from "../../src/windows/window.js";

export const AGENT: Agent = { id: "1", name: "Claude Code" };
export const OLD = "one\ntwo\nthree\nfour\nfive\n";
export const NEW = "ONE\ntwo\nthree\nfour\nFIVE\n";

/** Documents that are open, as reviews see them. */
class OpenDocuments {
  readonly open = new Map<Uri, { shared: SharedText; info: DocumentInfo }>();
  get(uri: Uri) {
    return this.open.get(uri) ?? null;
  }
  edit(uri: Uri, changes: ChangeSpec) {
    this.open.get(uri)?.shared.edit(changes);
  }
  add(uri: Uri, text: string, dirty: boolean) {
    this.open.set(uri, { shared: new SharedText(text), info: { dirty } as DocumentInfo });
  }
}

class TestWindow implements Window {
  readonly number = 1;
  readonly heard: { name: EventName; event: Events[EventName] }[] = [];
  send<Name extends EventName>(name: Name, event: Events[Name]) {
    this.heard.push({ name, event });
  }
  onClose(): Disposable {
    return { [Symbol.dispose]: () => {} };
  }
  last<Name extends EventName>(name: Name): Events[Name] | undefined {
    return this.heard.findLast((one) => one.name === name)?.event as Events[Name] | undefined;
  }
}

type Snapshot = Exclude<ReturnType<Reviews["handlers"]["review.attach"]>, Promise<unknown>>;

/** The reviews of a workbench, the person at one window of it, and agents that propose. */
export class ReviewScene implements AsyncDisposable {
  readonly folder: string;
  readonly stateDir: string;
  readonly window = new TestWindow();
  readonly documents = new OpenDocuments();
  /** Of rejections, as they were typed at the agent's prompt. */
  readonly reasons: string[] = [];
  /** What was reported. */
  readonly problems: unknown[] = [];
  store: Store;
  reviews!: Reviews;
  #texts = new SharedTexts();
  #count = 0;

  private constructor(folder: string) {
    this.folder = folder;
    this.stateDir = join(folder, "state");
    this.store = new Store(initialState(folder));
  }

  static async open(): Promise<ReviewScene> {
    const scene = new ReviewScene(await mkdtemp(join(tmpdir(), "lockstep-reviews-")));
    await mkdir(scene.stateDir);
    await scene.restart();
    return scene;
  }

  /** Starts anew on the same disk. The one before is not told, as in a crash. */
  async restart(): Promise<void> {
    this.store = new Store(initialState(this.folder));
    this.#texts = new SharedTexts();
    const surroundings = {
      store: this.store,
      folders: [this.folder],
      stateDir: this.stateDir,
      report: (problem: unknown) => void this.problems.push(problem),
      broadcast: () => {},
    };
    const deliver = (_agent: unknown, reason: string) => {
      this.reasons.push(reason);
      return "typed" as const;
    };
    this.reviews = await Reviews.open(surroundings, this.#texts, this.documents, deliver);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.reviews[Symbol.asyncDispose]();
    await rm(this.folder, { recursive: true });
  }

  /** An agent proposes a text for a file of its own; without a base, a new one. */
  async propose(base: string | null = OLD, text = NEW) {
    const count = ++this.#count;
    const path = join(this.folder, `file-${count}.ts`);
    if (base !== null) await writeFile(path, base);
    const id = `proposal-${count}`;
    const uri = fileUri(path);
    const proposal = { id, uri, label: `Proposal ${count}`, base, text, outside: false };
    const { signal } = new AbortController();
    const review = this.reviews.review(proposal, { agent: AGENT, signal });
    return { id, path, uri, review };
  }

  info(id: string): ProposalInfo | undefined {
    return this.store.state.proposals[id];
  }

  snapshot(id: string): Snapshot {
    return this.reviews.handlers["review.attach"]({ id }, this.window) as Snapshot;
  }

  /** The right side. */
  shown(id: string): string {
    return this.snapshot(id).shown.text;
  }

  decide(id: string, hunk: number | "rest", decision: "kept" | "dropped") {
    return this.reviews.handlers["review.decide"]({ id, hunk, decision }, this.window);
  }

  /** `moves` is how many changes of the file the window has heard of. */
  async accept(id: string, moves?: number) {
    const known = moves === undefined ? {} : { moves };
    return this.reviews.handlers["review.accept"]({ id, ...known }, this.window);
  }

  reject(id: string, reason?: string) {
    const said = reason ? { reason } : {};
    return this.reviews.handlers["review.reject"]({ id, ...said }, this.window);
  }

  dismiss(id: string) {
    return this.reviews.handlers["review.dismiss"]({ id }, this.window);
  }

  undo(id: string) {
    return this.reviews.handlers["review.undo"]({ id }, this.window);
  }

  redo(id: string) {
    return this.reviews.handlers["review.redo"]({ id }, this.window);
  }

  /** What a window does that has the right side on screen. */
  type(id: string, from: number, to: number, insert: string): void {
    const { epoch, version, text } = this.snapshot(id).shown;
    const changes = ChangeSet.of({ from, to, insert }, text.length).toJSON();
    const updates = [{ clientID: "window", changes }];
    const push = { name: `proposal:${id}`, epoch, version, updates };
    this.#texts.handlers["text.push"](push, this.window);
  }
}

/** Whether it settles before everything that is on its way has arrived. */
export function settled(review: Review): Promise<Outcome | null> {
  return Promise.race([review.outcome, new Promise<null>((done) => setImmediate(done, null))]);
}
