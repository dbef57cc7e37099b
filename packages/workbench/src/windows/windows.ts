import { join } from "node:path";
import type { Position, Range } from "@lockstep/editor";
import type { Uri } from "@lockstep/protocol";
import type { WebSocket } from "ws";
import type { EventName, Events } from "../contract/index.js";
import { type View, view as viewSchema, type windowCalls } from "../contract/windows.js";
import { Queue } from "../queue.js";
import { readJsonFile, writeJsonFile } from "../state/json-file.js";
import type { Store } from "../state/store.js";
import type { Bodies } from "./bodies.js";
import { openChannel } from "./channel.js";
import type { AllHandlers, Handlers } from "./router.js";
import type { Window } from "./window.js";

/** Names of windows whose last view is remembered. */
const REMEMBERED = 50;

export interface Marked {
  readonly anchor: Position;
  readonly head: Position;
  /** The key of the cell that it is in; null outside of notebooks. */
  readonly cell: string | null;
}

/** Told when the active document or its selection has changed. */
type Listener = () => void;

/**
 * The open pages: what each shows, and which the person was in last. That one's document is the
 * active one, and its selection is the selection.
 */
export class Windows {
  readonly #store: Store;
  readonly #file: string;
  readonly #open = new Set<Window>();
  readonly #names = new Map<Window, string>();
  /** By the windows' names for themselves, the latest last: a reloaded page shows what it showed. */
  #views: Map<string, View>;
  readonly #marked = new Map<Uri, Marked>();
  readonly #listeners = new Set<Listener>();
  readonly #waiting = new Set<() => void>();
  #active: Uri | null = null;
  #last: Window | null = null;
  #count = 0;
  readonly #queue = new Queue();
  readonly #report: (problem: unknown) => void;

  static async open(
    store: Store,
    stateDir: string,
    report: (problem: unknown) => void,
  ): Promise<Windows> {
    const file = join(stateDir, "windows.json");
    return new Windows(store, file, viewsIn(await readJsonFile(file)), report);
  }

  private constructor(
    store: Store,
    file: string,
    views: Map<string, View>,
    report: (problem: unknown) => void,
  ) {
    this.#store = store;
    this.#file = file;
    this.#views = views;
    this.#report = report;
    const latest = [...views.values()].at(-1);
    if (latest?.kind === "document") this.#active = latest.uri;
    store.subscribe((patch) => {
      for (const window of this.#open)
        if (this.#names.has(window)) window.send("state.patch", patch);
    });
  }

  readonly handlers: Handlers<typeof windowCalls> = {
    "window.hello": ({ window: name }, window) => {
      this.#names.set(window, name);
      const { state, sequence } = this.#store;
      const view = this.#views.get(name) ?? [...this.#views.values()].at(-1);
      return { state, sequence, view: view ?? { kind: "nothing" } };
    },
    "window.show": ({ view, focused }, window) => {
      this.#remember(window, view);
      if (focused || this.#last === null) this.#last = window;
      if (this.#last === window && view.kind === "document" && !this.#isUnshown(view.uri)) {
        this.activate(view.uri);
      }
    },
    "window.select": ({ uri, anchor, head, cell = null, focused }, window) => {
      if (focused || this.#last === null) this.#last = window;
      if (this.#last === window) this.mark(uri, { anchor, head, cell });
    },
  };

  /** The document that the person was in last, if it is still open. */
  get active(): Uri | null {
    const tabs = this.#store.state.tabs.filter(({ unshown }) => !unshown);
    const still = tabs.some(({ uri }) => uri === this.#active);
    return still ? this.#active : (tabs.at(-1)?.uri ?? null);
  }

  marked(uri: Uri): Marked {
    return this.#marked.get(uri) ?? { anchor: START, head: START, cell: null };
  }

  /** Resolves when there is one. */
  opened(signal: AbortSignal): Promise<void> {
    if (this.#open.size > 0) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const wait = () => resolve();
      this.#waiting.add(wait);
      signal.addEventListener("abort", () => {
        this.#waiting.delete(wait);
        reject(signal.reason);
      });
    });
  }

  /** A page has come through the door. */
  join(socket: WebSocket, handlers: AllHandlers, bodies: Bodies): void {
    const number = ++this.#count;
    const window = openChannel(socket, { number, handlers, bodies, report: this.#report });
    this.#open.add(window);
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
    window.onClose(() => {
      this.#open.delete(window);
      this.#names.delete(window);
      if (this.#last === window) this.#last = null;
    });
  }

  broadcast<Name extends EventName>(name: Name, event: Events[Name]): void {
    for (const window of this.#open) window.send(name, event);
  }

  /** Shows a document in the window that the person was in last; in the next to come if there is none. */
  reveal(uri: Uri, focus: boolean, range?: Range): void {
    if (range) this.#marked.set(uri, { anchor: range.start, head: range.end, cell: null });
    const window = this.#last ?? [...this.#open].at(-1);
    window?.send("window.reveal", { uri, focus, ...(range ? { range } : {}) });
    if (focus && !window) this.#views.set("the next", { kind: "document", uri });
    if (focus) this.activate(uri);
    else if (range && uri === this.active) this.#tell();
  }

  activate(uri: Uri): void {
    this.#active = uri;
    this.#tell();
  }

  mark(uri: Uri, marked: Marked): void {
    this.#marked.set(uri, marked);
    if (this.#active !== uri) this.#active = uri;
    this.#tell();
  }

  subscribe(listener: Listener): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  /** What was to be remembered is on the disk. */
  async flush(): Promise<void> {
    await this.#queue.idle();
  }

  #remember(window: Window, view: View): void {
    const name = this.#names.get(window);
    if (name === undefined) return;
    this.#views.delete(name);
    this.#views.set(name, view);
    this.#views = new Map([...this.#views].slice(-REMEMBERED));
    const views = [...this.#views];
    this.#queue.take(() => writeJsonFile(this.#file, views)).catch(this.#report);
  }

  /** There is nothing in it that could be selected, or read over somebody's shoulder. */
  #isUnshown(uri: Uri): boolean {
    return this.#store.state.tabs.some((tab) => tab.uri === uri && tab.unshown);
  }

  #tell(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}

const START: Position = { line: 0, character: 0 };

/** Whatever the file holds: entries that are not ours are left out. */
function viewsIn(stored: unknown): Map<string, View> {
  const entries = Array.isArray(stored) ? stored : [];
  return new Map(
    entries.flatMap((entry): [string, View][] => {
      const [name, view] = Array.isArray(entry) ? entry : [];
      const { data } = viewSchema.safeParse(view);
      return typeof name === "string" && data ? [[name, data]] : [];
    }),
  );
}
