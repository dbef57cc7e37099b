import type { EventName, Events } from "../contract/index.js";

/** One open page. It exists while its socket does; a reloaded page is a new one with the same name. */
export interface Window {
  /** Tells the sockets of this workbench apart. */
  readonly number: number;
  send<Name extends EventName>(name: Name, event: Events[Name]): void;
  /** Runs when the window is gone, unless disposed before. */
  onClose(listener: () => void): Disposable;
}
