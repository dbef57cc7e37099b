import { parseUri, type Uri } from "@lockstep/protocol";
import type { FollowedText } from "./followed-text.js";
import * as lsp from "./lsp.js";
import type { RunningServer } from "./running-server.js";

const PULL = "textDocument/diagnostic";
const WIDE = "workspace/diagnostic";
/** The first time a server loads the whole project for it. */
const PULL_MS = 60_000;
const AT_ONCE = 4;
/** A pause in typing after which a server is asked: as long as its last answers took, between these. */
const PAUSE_MS = 150;
const LONGEST_PAUSE_MS = 1_000;
/** Where no such pause comes, as while a build writes files without end, the server is asked so often. */
const LONGEST_WAIT_MS = 30_000;
/** How often a server that wants to be asked again by itself is. */
const REFRESH_MS = 1_000;
/** A server that has not said a word of a file for so long has none to say. */
const MUTE_MS = 1_000;

export interface DiagnosingOptions {
  readonly server: Pick<RunningServer, "offer" | "request" | "isAtWork">;
  /** Those that the server has. */
  readonly texts: () => readonly FollowedText[];
  /** All that is wrong with a file now. */
  readonly found: (uri: Uri, items: readonly unknown[], how: "pulled" | "pushed") => void;
}

/** What a server has said of a text. */
interface Answered {
  readonly version: number;
  /** See {@link Diagnosing.#generation}. */
  readonly generation: number;
  readonly resultId: string | null;
  /** How often it was asked for these while it said that it was at work, which may change its mind. */
  readonly early: number;
}

/** What a question waits for: texts as they were when it was asked. */
interface Goal {
  readonly generation: number;
  readonly versions: ReadonlyMap<Uri, number>;
}

/**
 * Keeps what one server says of problems up to date: asks those that want to be asked, and listens to
 * those that tell by themselves.
 */
export class Diagnosing {
  readonly #options: DiagnosingOptions;
  readonly #answered = new Map<Uri, Answered>();
  /** Files of which the server has not said a word while somebody waited. */
  readonly #mute = new Set<Uri>();
  readonly #waiting = new Set<() => void>();
  /** Counts up with all that the server is told: a change in one file may be an error in another. */
  #generation = 0;
  #working: Promise<void> | null = null;
  /** The last question for each text that has no answer yet. */
  readonly #pulling = new Map<Uri, Promise<void>>();
  /** The server is being asked for the whole workspace; the generation that is to be asked for next. */
  #wide: { next: number | null } | null = null;
  /** Of files that are not followed, for a server that answers only what is new. */
  readonly #resultIds = new Map<Uri, string>();
  #timer: NodeJS.Timeout | null = null;
  /** Since when there is something to ask that nobody has asked yet. */
  #owed: number | null = null;
  /** How long the server took for its last answers. */
  #took = 0;
  #refreshing: NodeJS.Timeout | null = null;
  #refreshed = 0;
  #closed = false;

  constructor(options: DiagnosingOptions) {
    this.#options = options;
  }

  /** The server was told something, so what it says may be another thing now. */
  touch(): void {
    this.#generation++;
    if (this.#pulls) this.#askLater();
  }

  /** It has done what it said it was doing: what it answered meanwhile is asked again. */
  idle(): void {
    const early = [...this.#answered.values()].some((answered) => answered.early === 1);
    if (early && this.#pulls) this.#askLater();
    this.#wake();
  }

  /** The server says so itself: with every answer, if it wants, but not as often. */
  refresh(): void {
    const wait = Math.max(0, this.#refreshed + REFRESH_MS - Date.now());
    this.#refreshing ??= setTimeout(() => {
      this.#refreshing = null;
      this.#refreshed = Date.now();
      this.touch();
    }, wait);
  }

  published(uri: Uri, version: number | null, items: readonly unknown[]): void {
    this.#options.found(uri, items, "pushed");
    if (this.#pulls) return;
    const current = this.#options.texts().find((text) => text.uri === uri)?.version ?? 0;
    this.#mute.delete(uri);
    // Nobody knows a version that there is not yet.
    const known = Math.min(version ?? current, current);
    const told = { version: known, generation: 0, resultId: null, early: 0 };
    this.#answered.set(uri, told);
    this.#wake();
  }

  forget(uri: Uri): void {
    this.#answered.delete(uri);
    this.#mute.delete(uri);
  }

  /** When the server has said what it has to say of this text as it is now, or of all. */
  async settled(signal: AbortSignal, uri?: Uri): Promise<void> {
    const begun = performance.now();
    const concerned = this.#options.texts().filter((text) => uri === undefined || text.uri === uri);
    const goal: Goal = {
      generation: this.#generation,
      versions: new Map(concerned.map((text) => [text.uri, text.version])),
    };
    // Nobody waits for what is written while they wait: that may have no end.
    const open = () =>
      this.#options
        .texts()
        .filter((text) => goal.versions.has(text.uri) && !this.#isSettled(text, goal));
    const late = aborted(signal);
    for (let texts = open(); texts.length > 0; texts = open()) {
      if (signal.aborted || this.#closed) break;
      const asks = this.#pulls && texts.some((text) => this.#isToBeAsked(text));
      const [one] = uri === undefined ? [] : texts;
      const step = asks ? (one ? this.#pull(one) : this.#work()) : this.#news(late);
      await Promise.race([step, late]);
    }
    if (this.#closed || this.#pulls || this.#isAtWork || performance.now() - begun < MUTE_MS)
      return;
    for (const text of concerned) if (!this.#answered.has(text.uri)) this.#mute.add(text.uri);
  }

  close(): void {
    this.#closed = true;
    this.#stopTimer();
    if (this.#refreshing) clearTimeout(this.#refreshing);
    this.#wake();
  }

  get #offer() {
    return this.#options.server.offer(PULL);
  }

  get #pulls(): boolean {
    return this.#offer !== null;
  }

  get #isAtWork(): boolean {
    return this.#options.server.isAtWork;
  }

  /** What it has said is what the goal wants to know. */
  #isSettled({ uri }: FollowedText, goal: Goal): boolean {
    const answered = this.#answered.get(uri);
    if (!this.#pulls && this.#mute.has(uri)) return true;
    if (!answered || answered.early === 1) return false;
    return this.#isEnough(answered, goal.versions.get(uri) ?? 0, goal.generation);
  }

  /** It would say something else now, or may. */
  #isToBeAsked({ uri, version }: FollowedText): boolean {
    const answered = this.#answered.get(uri);
    if (!answered || !this.#isEnough(answered, version, this.#generation)) return true;
    return answered.early === 1 && !this.#isAtWork;
  }

  #isEnough(answered: Answered, version: number, generation: number): boolean {
    if (answered.version < version) return false;
    if (!this.#pulls || this.#offer?.interFileDependencies === false) return true;
    return answered.generation >= generation;
  }

  #askLater(): void {
    const now = performance.now();
    this.#owed ??= now;
    const quiet = now + Math.min(Math.max(PAUSE_MS, this.#took), LONGEST_PAUSE_MS);
    const latest = this.#owed + LONGEST_WAIT_MS;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#askNow(), Math.min(quiet, latest) - now);
  }

  async #askNow(): Promise<void> {
    // What was asked before the last change does not count.
    await this.#working;
    await this.#work();
    await this.#askWide();
  }

  #work(): Promise<void> {
    this.#working ??= this.#askAll().finally(() => {
      this.#working = null;
    });
    return this.#working;
  }

  /** Asks once for all that is not known. What changes meanwhile has its own turn, after a pause. */
  async #askAll(): Promise<void> {
    this.#stopTimer();
    const begun = performance.now();
    const asked = new Set<Uri>();
    const open = () =>
      this.#options.texts().filter((text) => !asked.has(text.uri) && this.#isToBeAsked(text));
    for (let texts = open(); texts.length > 0 && !this.#closed; texts = open()) {
      const next = texts.reverse().slice(0, AT_ONCE);
      for (const { uri } of next) asked.add(uri);
      await Promise.all(next.map((text) => this.#pull(text)));
    }
    this.#took = performance.now() - begun;
  }

  /** Of files that nobody looks at, where a server offers to say it. Nobody waits for it. */
  async #askWide(): Promise<void> {
    if (this.#offer?.workspaceDiagnostics !== true || this.#closed) return;
    if (this.#wide) {
      this.#wide.next = this.#generation;
      return;
    }
    const asking: { next: number | null } = { next: null };
    this.#wide = asking;
    const { server, found, texts } = this.#options;
    const params = { ...this.#identifier, previousResultIds: this.#wideResults() };
    const answer = await server.request(WIDE, params, { withinMs: PULL_MS }).catch(() => null);
    const { data } = lsp.workspaceReport.safeParse(answer);
    for (const { uri: name, kind, items, resultId } of this.#closed ? [] : (data?.items ?? [])) {
      const uri = parseUri(name);
      // What is followed is asked for by itself.
      if (!uri || texts().some((text) => text.uri === uri)) continue;
      if (resultId) this.#resultIds.set(uri, resultId);
      if (kind !== "unchanged") found(uri, items ?? [], "pulled");
    }
    this.#wide = null;
    if (asking.next !== null && answer !== null) await this.#askWide();
  }

  #wideResults() {
    return [...this.#resultIds].map(([uri, value]) => ({ uri, value }));
  }

  get #identifier() {
    const identifier = this.#offer?.identifier;
    return typeof identifier === "string" ? { identifier } : {};
  }

  /** One question at a time for each text: an answer can say "as in the last one". */
  #pull(text: FollowedText): Promise<void> {
    const { uri } = text;
    const before = this.#pulling.get(uri) ?? Promise.resolve();
    const pulling = before
      .then(() => (this.#isToBeAsked(text) ? this.#pullNow(text) : undefined))
      .finally(() => {
        if (this.#pulling.get(uri) === pulling) this.#pulling.delete(uri);
      });
    this.#pulling.set(uri, pulling);
    return pulling;
  }

  async #pullNow({ uri, version }: FollowedText): Promise<void> {
    if (this.#closed) return;
    const { server, found } = this.#options;
    const generation = this.#generation;
    const before = this.#answered.get(uri);
    const params = {
      textDocument: { uri },
      ...this.#identifier,
      ...(before?.resultId ? { previousResultId: before.resultId } : {}),
    };
    const answer = await server.request(PULL, params, { withinMs: PULL_MS }).catch(() => null);
    if (this.#closed) return;
    const { data } = lsp.diagnosticReport.safeParse(answer);
    const resultId = data?.resultId ?? null;
    const again = before?.generation === generation ? before.early : 0;
    const early = this.#isAtWork ? again + 1 : 0;
    // Also where it has failed: it is asked again when something has changed.
    this.#answered.set(uri, { version, generation, resultId, early });
    if (!data) return;
    if (data.kind !== "unchanged") found(uri, data.items ?? [], "pulled");
    for (const [other, report] of Object.entries(data.relatedDocuments ?? {})) {
      const related = parseUri(other);
      if (related && report.kind !== "unchanged") found(related, report.items ?? [], "pulled");
    }
  }

  /** The server tells something by itself, or it is too late. */
  async #news(late: Promise<void>): Promise<void> {
    let wake = () => {};
    const heard = new Promise<void>((resolve) => {
      wake = resolve;
      this.#waiting.add(wake);
    });
    await Promise.race([heard, late]);
    this.#waiting.delete(wake);
  }

  #wake(): void {
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }

  #stopTimer(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#owed = null;
  }
}

/** Resolves when it is. */
export function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) =>
    signal.addEventListener("abort", () => resolve(), { once: true }),
  );
}
