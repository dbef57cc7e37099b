import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Agent } from "@lockstep/editor";
import { fileUri, printable } from "@lockstep/protocol";
import type { TurnFileView, TurnOutcome, turnCalls } from "../contract/turns.js";
import type { Documents, DocumentsChange } from "../documents/documents.js";
import { Rescues } from "../documents/rescue.js";
import { WorkbenchError } from "../errors.js";
import { Fence } from "../files/fence.js";
import { Trash } from "../files/trash.js";
import { Queue } from "../queue.js";
import type { Surroundings } from "../surroundings.js";
import type { SharedTexts } from "../texts/shared-texts.js";
import type { Handlers } from "../windows/router.js";
import { FileTexts } from "./file-texts.js";
import { PersonsSaves } from "./persons-saves.js";
import { PutBack } from "./put-back.js";
import { RunningTurn } from "./running-turn.js";
import { type Found, Shadow, type ShadowLimits } from "./shadow.js";
import { lineCounts, nameOf, ShownFiles } from "./shown-files.js";
import { stuckHunks } from "./stuck-hunks.js";
import { fileInfo, Turn } from "./turn.js";
import { type Decision, type Done, MINE, need, TurnDecisions } from "./turn-decisions.js";
import { isMine, keyOf, type TurnFile } from "./turn-file.js";
import { TurnHistory } from "./turn-history.js";
import { TurnRecords } from "./turn-record.js";

/** A burst of changes is waited for. */
const PAUSE_MS = 100;
/** So late the watcher may be: a checkpoint waits for what it has still to tell. */
const WATCHER_MS = 120;
/** Nothing has changed for so long: the agent may have come to its end. */
const QUIET_MS = 4_000;
const MOST_TURNS = 50;
/** Of the copies' limit: above it the oldest turns go. */
const FULL = 0.75;
const MOST_BYTES = 256 * 1024 * 1024;

const NOTICE = "turns";
const UNSAVED = "You have unsaved edits in this file: save or revert them first.";

export interface TurnsOptions extends Partial<ShadowLimits> {
  /** When the files are watched: from then on they are looked at. */
  readonly after?: Promise<void>;
}

/**
 * What has changed since the last prompt, and since those before, to be kept or undone. It says that
 * files have changed since a checkpoint, and not who did it.
 */
export class Turns {
  readonly #surroundings: Surroundings;
  readonly #documents: Documents;
  readonly #texts: SharedTexts;
  readonly #root: string;
  readonly #history: TurnHistory;
  readonly #saves: PersonsSaves;
  readonly #shadow: Shadow;
  readonly #fileTexts: FileTexts;
  readonly #running: RunningTurn;
  readonly #decisions: TurnDecisions;
  readonly #shown: ShownFiles;
  readonly #queue = new Queue();
  readonly #stop = new AbortController();
  readonly #most: number;
  #looking: NodeJS.Timeout | undefined;
  #quiet: NodeJS.Timeout | undefined;
  /** When all files were looked at for the first time; until then there is nothing to compare with. */
  readonly ready: Promise<void>;

  readonly handlers: Handlers<typeof turnCalls> = {
    "turn.files": ({ turn }) => this.#files(this.#history.need(turn)),
    "turn.attach": ({ turn, file }, window) =>
      this.#queue.take(async () => {
        if (this.#shadow.isTouched) await this.#look();
        const view = await this.#view(this.#history.need(turn), file);
        if (view.review) this.#texts.attach(nameOf(`${turn}:${file}`), window);
        return view;
      }),
    "turn.decide": ({ turn, ...decision }) => this.#decide(turn, decision),
    "turn.undo": ({ turn }) => this.#act(turn, (each) => this.#decisions.undo(each)),
    "turn.redo": ({ turn }) => this.#act(turn, (each) => this.#decisions.redo(each)),
    "turn.told": ({ turn }) => {
      const told = this.#history.need(turn);
      told.stale = [];
      this.#history.publish(told);
    },
    "turn.forget": ({ turn }) =>
      this.#queue.take(async () => this.#forget(this.#history.need(turn))),
  };

  /** With the turns of last time. The files are looked at in the background, see {@link ready}. */
  static async open(
    surroundings: Surroundings,
    texts: SharedTexts,
    documents: Documents,
    { after = Promise.resolve(), ...limits }: TurnsOptions = {},
  ): Promise<Turns> {
    const folder = join(surroundings.stateDir, "turns");
    const rescues = new Rescues(join(folder, "rescues"));
    await mkdir(rescues.folder, { recursive: true, mode: 0o700 });
    await rescues.recover(surroundings.report);
    const records = new TurnRecords(join(folder, "records"), surroundings.report);
    const known = (await records.read()).map((record) => Turn.restore(record));
    return new Turns(surroundings, texts, documents, {
      ...{ folder, rescues, records, known, limits, after },
    });
  }

  private constructor(
    surroundings: Surroundings,
    texts: SharedTexts,
    documents: Documents,
    own: {
      readonly folder: string;
      readonly rescues: Rescues;
      readonly records: TurnRecords;
      readonly known: readonly Turn[];
      readonly limits: Partial<ShadowLimits>;
      readonly after: Promise<void>;
    },
  ) {
    const { folders, stateDir } = surroundings;
    const root = folders[0] ?? stateDir;
    this.#surroundings = surroundings;
    this.#documents = documents;
    this.#texts = texts;
    this.#root = root;
    this.#history = new TurnHistory(surroundings, own.records, own.known);
    this.#saves = new PersonsSaves(root, documents);
    this.#most = own.limits.most ?? MOST_BYTES;
    this.#shadow = new Shadow(root, join(own.folder, "copies"), {
      most: this.#most,
      ...own.limits,
    });
    this.#fileTexts = new FileTexts(this.#shadow, this.#stop.signal);
    this.#running = new RunningTurn(this.#shadow, this.#fileTexts, this.#saves);
    this.#shown = new ShownFiles(texts);
    const putBack = new PutBack({
      ...{ root, documents, rescues: own.rescues, shadow: this.#shadow },
      fence: new Fence(folders),
      trash: new Trash(join(stateDir, "trash")),
    });
    this.#decisions = new TurnDecisions(this.#fileTexts, putBack, (turn, file) =>
      this.#stuck(turn, file),
    );
    this.ready = this.#queue
      .take(() => own.after.then(() => this.#begin()))
      .catch((problem) => this.#off(problem));
  }

  /** These have changed on disk: absolute paths, of which a folder stands for all in it. */
  noticeDisk(paths: readonly string[]): void {
    this.#shadow.touch(paths);
    if (this.#shadow.isTouched) this.#lookSoon();
  }

  noticeDocuments(change: DocumentsChange): void {
    const saved = this.#saves.notice(change);
    // Before the watcher has seen it, so that whoever looks next sees it.
    if (saved.length > 0) this.noticeDisk(saved);
    if (change.kind !== "text") this.#history.tellFiles(this.#history.now);
  }

  /** An agent was sent a prompt: what changes from now on is another turn. */
  checkpoint(agent: Agent): void {
    const at = Date.now();
    const name = printable(agent.name).slice(0, 100);
    const others = Object.values(this.#surroundings.store.state.agents)
      .filter(({ id, left }) => left === null && id !== agent.id)
      .map((other) => other.name);
    this.#queue
      .take(async () => {
        await delay(Math.max(0, at + WATCHER_MS - Date.now()));
        await this.#end(at, name, others);
      })
      .catch((problem) => this.#fault(problem));
  }

  /** When all that was heard of is taken in. */
  async idle(): Promise<void> {
    await this.#queue.take(async () => {
      if (this.#shadow.isTouched) await this.#look();
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    for (const timer of [this.#looking, this.#quiet]) clearTimeout(timer);
    await this.#shadow.close();
    await this.#queue.idle();
    await this.#history.close();
    this.#shown.clear();
  }

  async #begin(): Promise<void> {
    const files = [...this.#history.now.files.values()];
    const before = files
      .filter(({ whole }) => whole !== "undone")
      .flatMap(({ path, from, before: image }) =>
        from === null ? [[path, image] as const] : [[path, null] as const, [from, image] as const],
      );
    const found = await this.#shadow.open(before);
    await this.#take(found);
    this.#history.publish(this.#history.now);
    await this.#tidy(found.used);
  }

  /** Without a shadow there are no turns; the editor goes on. */
  #off(problem: unknown): void {
    if (this.#stop.signal.aborted) return;
    this.#surroundings.report(problem);
    this.#say(`Turns are not recorded, because the files could not be looked at (${problem}).`);
  }

  /** What fails because it all ends is no fault. */
  #fault(problem: unknown): void {
    if (!this.#stop.signal.aborted) this.#surroundings.report(problem);
  }

  #lookSoon(): void {
    this.#looking ??= setTimeout(() => {
      this.#looking = undefined;
      this.#queue.take(() => this.#look()).catch((problem) => this.#fault(problem));
    }, PAUSE_MS);
  }

  async #look(): Promise<void> {
    if (this.#stop.signal.aborted) return;
    await this.#take(await this.#shadow.look());
  }

  async #take({ changes, cut, full }: Found): Promise<void> {
    const turn = this.#history.now;
    if (full) this.#full(full);
    if (!(await this.#running.update(turn, changes, cut))) return;
    turn.quiet = false;
    clearTimeout(this.#quiet);
    this.#quiet = setTimeout(() => {
      turn.quiet = turn.files.size > 0 || turn.cut > 0;
      this.#history.publish(turn);
    }, QUIET_MS);
    this.#quiet.unref();
    this.#history.publish(turn);
    await this.#refresh(turn);
  }

  async #end(at: number, agent: string, others: readonly string[]): Promise<void> {
    const found = await this.#shadow.checkpoint(at);
    await this.#take(found);
    clearTimeout(this.#quiet);
    this.#saves.clear();
    this.#running.begin();
    const ended = this.#history.now;
    this.#history.begin(new Turn({ since: at, agent, others }));
    if (ended.isEmpty) this.#drop(ended);
    else {
      ended.until = at;
      ended.quiet = true;
      this.#history.publish(ended);
    }
    this.#history.save();
    if (this.#shadow.isTouched) await this.#look();
    await this.#tidy(found.used);
  }

  /** The oldest turns go first, and the copies that nobody needs then. */
  async #tidy(used: number): Promise<void> {
    const history = this.#history;
    const isFull = (bytes: number) => bytes > this.#most * FULL;
    let left = used;
    if (history.ended.length <= MOST_TURNS && !isFull(left)) return;
    while (history.ended.length > MOST_TURNS) this.#drop(oldest(history.ended));
    left = await this.#shadow.prune(history.copies);
    while (isFull(left) && history.ended.length > 0) {
      this.#drop(oldest(history.ended));
      left = await this.#shadow.prune(history.copies);
    }
  }

  #decide(id: string, decision: Decision): Promise<TurnOutcome> {
    return this.#act(id, (turn) => this.#decisions.decide(turn, decision));
  }

  /** One after the other, and after what was heard of the disk. */
  #act(id: string, work: (turn: Turn) => Promise<Done>): Promise<TurnOutcome> {
    return this.#queue.take(async () => {
      if (this.#shadow.isTouched) await this.#look();
      const turn = this.#history.need(id);
      const { refused, written, files } = await work(turn);
      await this.#wrote(turn, written, files);
      await this.#refresh(turn);
      return { refused };
    });
  }

  /** What we have written ourselves: in the running turn it shows there, and else it is no change of it. */
  async #wrote(turn: Turn, written: readonly string[], files: readonly string[]): Promise<void> {
    if (turn === this.#history.now) {
      this.#shadow.touch(written.map((path) => join(this.#root, path)));
      await this.#look();
      for (const path of written) this.#see(turn, path);
    } else if (written.length > 0) await this.#take(await this.#shadow.settle(written));
    for (const id of files) await this.#recount(turn, id);
    turn.forgetStale();
    this.#history.publish(turn);
    this.#history.write(turn);
  }

  /** The person has made it what it is. */
  #see(turn: Turn, path: string): void {
    const file = [...turn.files.values()].find((each) => each.path === path);
    if (file) turn.put({ ...file, seen: keyOf(file) });
  }

  async #recount(turn: Turn, id: string): Promise<void> {
    const file = turn.files.get(id);
    if (!file?.hunks) return;
    const loaded = await this.#fileTexts.load(file);
    if (loaded) turn.put({ ...file, ...lineCounts(loaded.review) });
  }

  async #view(turn: Turn, id: string): Promise<TurnFileView> {
    const file = { ...need(turn, id) };
    turn.put({ ...file, seen: keyOf(file) });
    this.#history.publish(turn);
    const { before, after } = file;
    const target = (image: typeof before) =>
      image?.kind === "link" ? printable(image.target) : null;
    const links = file.content === "link" ? { before: target(before), after: target(after) } : null;
    const loaded = file.content === "text" ? await this.#fileTexts.load(file) : null;
    const review =
      loaded &&
      this.#shown.show(
        `${turn.id}:${id}`,
        loaded.review,
        loaded.text,
        await this.#stuck(turn, file),
      );
    return { info: this.#info(need(turn, id)), review, links };
  }

  /** The windows that show files of it see them as they are now. */
  async #refresh(turn: Turn): Promise<void> {
    for (const id of this.#shown.ids()) {
      if (!id.startsWith(`${turn.id}:`)) continue;
      const file = turn.files.get(id.slice(turn.id.length + 1));
      const loaded = file && (await this.#fileTexts.load(file));
      if (!file || !loaded) continue;
      this.#shown.update(id, loaded.review, loaded.text, await this.#stuck(turn, file));
    }
  }

  #stuck(turn: Turn, file: TurnFile): Promise<ReadonlyMap<number, string>> {
    const isRunning = turn === this.#history.now;
    return stuckHunks(file, this.#fileTexts, { root: this.#root, isRunning });
  }

  #files(turn: Turn) {
    return [...turn.files.values()]
      .sort((a, b) => (a.path < b.path ? -1 : 1))
      .map((file) => this.#info(file));
  }

  #info(file: TurnFile) {
    const dirty = this.#documents.get(fileUri(join(this.#root, file.path)))?.dirty;
    return fileInfo(file, this.#root, dirty ? UNSAVED : isMine(file) ? MINE : null);
  }

  #forget(turn: Turn): void {
    if (turn === this.#history.now) {
      throw new WorkbenchError("This turn still runs: forget it when the next one has begun.");
    }
    this.#drop(turn);
  }

  #drop(turn: Turn | undefined): void {
    if (!turn) return;
    this.#history.drop(turn);
    for (const id of turn.files.keys()) this.#shown.remove(`${turn.id}:${id}`);
  }

  #full(why: "limit" | "disk"): void {
    this.#say(
      why === "disk"
        ? "The disk is full, so Lockstep cannot keep copies of files: what changes now may not be undone. Free some space."
        : "The copies of files that turns are undone with have reached their limit: some changes may not be undone.",
    );
  }

  #say(text: string): void {
    this.#surroundings.store.put("notices", NOTICE, { id: NOTICE, severity: "warning", text });
  }
}

const oldest = (turns: readonly Turn[]): Turn | undefined =>
  [...turns].sort((a, b) => a.since - b.since)[0];
