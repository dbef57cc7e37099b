import { parseUri, type Uri } from "@lockstep/protocol";
import { ServerRefusal } from "./asking-errors.js";
import type { FollowedText } from "./followed-text.js";
import * as lsp from "./lsp.js";
import type { RunningServer } from "./running-server.js";

const PULL = "textDocument/diagnostic";
const WIDE = "workspace/diagnostic";
/** The first time a server loads the whole project for it. */
const PULL_MS = 60_000;
const AT_ONCE = 4;
/** A pause in typing after which a server is asked: as long as its last answer took, between these. */
const PAUSE_MS = 150;
const LONGEST_PAUSE_MS = 1_000;
/** How often a server that wants to be asked again by itself is. */
const REFRESH_MS = 1_000;
/** A server that says "ask again" is asked so often. */
const TRIES = 3;
/** What a server answers that could not finish because something changed meanwhile. */
const SERVER_CANCELLED = -32_802;
const CONTENT_MODIFIED = -32_801;

export interface DiagnosingOptions {
  readonly server: RunningServer;
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
  /** The server is being asked for the whole workspace; the generation that is to be asked for next. */
  #wide: { next: number | null } | null = null;
  /** Of files that are not followed, for a server that answers only what is new. */
  readonly #resultIds = new Map<Uri, string>();
  #timer: NodeJS.Timeout | null = null;
  #pause = PAUSE_MS;
  #refreshing: NodeJS.Timeout | null = null;
  #refreshed = 0;
  /** Somebody waits for this one. */
  #first: Uri | null = null;
  #closed = false;

  constructor(options: DiagnosingOptions) {
    this.#options = options;
  }

  /** The server was told something, so what it says may be another thing now. */
  touch(): void {
    this.#generation++;
    if (!this.#pulls) return;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#work().then(() => this.#askWide()), this.#pause);
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
    const current = this.#options.texts().find((text) => text.uri === uri)?.version;
    this.#mute.delete(uri);
    const answered = { version: version ?? current ?? 0, generation: 0, resultId: null };
    this.#answered.set(uri, answered);
    this.#wake();
  }

  forget(uri: Uri): void {
    this.#answered.delete(uri);
    this.#mute.delete(uri);
  }

  /** When the server has said what it has to say of these texts as they are now, or of all. */
  async settled(signal: AbortSignal, uri?: Uri): Promise<void> {
    const concerned = () =>
      this.#options.texts().filter((text) => uri === undefined || text.uri === uri);
    while (!signal.aborted && !this.#closed) {
      const open = concerned().filter((text) => !this.#isSettled(text));
      if (open.length === 0) return;
      if (this.#pulls) await Promise.race([this.#work(uri), aborted(signal)]);
      else await this.#published(signal);
    }
    if (this.#closed || this.#pulls) return;
    for (const text of concerned()) if (!this.#answered.has(text.uri)) this.#mute.add(text.uri);
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

  #isSettled({ uri, version }: FollowedText): boolean {
    const answered = this.#answered.get(uri);
    if (!this.#pulls) return this.#mute.has(uri) || (answered?.version ?? -1) >= version;
    if (answered?.version !== version) return false;
    return this.#offer?.interFileDependencies === false || answered.generation === this.#generation;
  }

  /** Asks for all that is not known, `first` before the others. */
  #work(first: Uri | null = null): Promise<void> {
    this.#stopTimer();
    this.#first = first ?? this.#first;
    this.#working ??= this.#ask().finally(() => {
      this.#working = null;
    });
    return this.#working;
  }

  async #ask(): Promise<void> {
    const open = () => this.#options.texts().filter((text) => !this.#isSettled(text));
    const rank = ({ uri }: FollowedText) => (uri === this.#first ? 0 : 1);
    for (let texts = open(); texts.length > 0 && !this.#closed; texts = open()) {
      const next = texts.reverse().sort((a, b) => rank(a) - rank(b));
      await Promise.all(next.slice(0, AT_ONCE).map((text) => this.#pull(text)));
    }
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

  async #pull({ uri, version }: FollowedText): Promise<void> {
    const { server, found } = this.#options;
    const generation = this.#generation;
    const before = this.#answered.get(uri);
    const params = {
      textDocument: { uri },
      ...this.#identifier,
      ...(before?.resultId ? { previousResultId: before.resultId } : {}),
    };
    const asked = performance.now();
    const answer = await this.#request(server, params);
    this.#pause = Math.min(Math.max(PAUSE_MS, performance.now() - asked), LONGEST_PAUSE_MS);
    if (this.#closed) return;
    const { data } = lsp.diagnosticReport.safeParse(answer);
    const resultId = data?.resultId ?? null;
    // Also where it has failed: it is asked again when something has changed.
    this.#answered.set(uri, { version, generation, resultId });
    if (!data) return;
    if (data.kind !== "unchanged") found(uri, data.items ?? [], "pulled");
    for (const [other, report] of Object.entries(data.relatedDocuments ?? {})) {
      const related = parseUri(other);
      if (related && report.kind !== "unchanged") found(related, report.items ?? [], "pulled");
    }
  }

  async #request(server: RunningServer, params: unknown): Promise<unknown> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await server.request(PULL, params, { withinMs: PULL_MS });
      } catch (problem) {
        const again =
          problem instanceof ServerRefusal &&
          (problem.code === SERVER_CANCELLED || problem.code === CONTENT_MODIFIED);
        if (!again || attempt >= TRIES || this.#closed) return null;
      }
    }
  }

  async #published(signal: AbortSignal): Promise<void> {
    let wake = () => {};
    const heard = new Promise<void>((resolve) => {
      wake = resolve;
      this.#waiting.add(wake);
    });
    await Promise.race([heard, aborted(signal)]);
    this.#waiting.delete(wake);
  }

  #wake(): void {
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }

  #stopTimer(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }
}

/** Resolves when it is. */
export function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) =>
    signal.addEventListener("abort", () => resolve(), { once: true }),
  );
}
