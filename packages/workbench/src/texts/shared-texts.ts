import type { textCalls } from "../contract/texts.js";
import { WorkbenchError } from "../errors.js";
import type { Handlers } from "../windows/router.js";
import type { Window } from "../windows/window.js";
import type { SharedText } from "./shared-text.js";

interface Entry {
  readonly text: SharedText;
  readonly mayEdit: () => string | null;
  readonly windows: Set<Window>;
  readonly subscription: Disposable;
}

/** The shared texts by name, and the windows that have each on screen. */
export class SharedTexts {
  readonly #entries = new Map<string, Entry>();
  /** Windows that are let go of when they close. */
  readonly #known = new WeakSet<Window>();

  readonly handlers: Handlers<typeof textCalls> = {
    "text.attach": ({ name }, window) => {
      this.attach(name, window);
      return this.#entry(name).text.snapshot;
    },
    "text.detach": ({ name }, window) => void this.#entries.get(name)?.windows.delete(window),
    "text.push": ({ name, epoch, version, updates }) => {
      const { text, mayEdit } = this.#entry(name);
      const why = mayEdit();
      if (why !== null) throw new WorkbenchError(why);
      return text.receive(epoch, version, updates);
    },
    "text.pull": ({ name, epoch, version }) => this.#entry(name).text.since(epoch, version),
  };

  /** From now on windows can attach to it. `mayEdit` says why they may not change it, or null. */
  add(name: string, text: SharedText, mayEdit: () => string | null = () => null): void {
    const windows = new Set<Window>();
    const { epoch } = text;
    const subscription = text.subscribe(({ version, updates }) => {
      for (const window of windows) window.send("text.updates", { name, epoch, version, updates });
    });
    this.remove(name);
    this.#entries.set(name, { text, mayEdit, windows, subscription });
  }

  remove(name: string): void {
    this.#entries.get(name)?.subscription[Symbol.dispose]();
    this.#entries.delete(name);
  }

  attach(name: string, window: Window): void {
    this.#entry(name).windows.add(window);
    if (this.#known.has(window)) return;
    this.#known.add(window);
    window.onClose(() => {
      for (const { windows } of this.#entries.values()) windows.delete(window);
    });
  }

  /** Who has it on screen. */
  windows(name: string): readonly Window[] {
    return [...(this.#entries.get(name)?.windows ?? [])];
  }

  #entry(name: string): Entry {
    const entry = this.#entries.get(name);
    if (!entry) throw new WorkbenchError(`${name} is not open.`);
    return entry;
  }
}
