import type { EventName, Events } from "./contract/index.js";
import type { Store } from "./state/store.js";

/** What every part of the workbench is given. */
export interface Surroundings {
  readonly store: Store;
  /** Absolute paths without links, the main one first. */
  readonly folders: readonly string[];
  /** A folder of this workspace's own that only this user can read; parts make folders in it. */
  readonly stateDir: string;
  /** Told of faults that nobody can do anything about now. */
  readonly report: (problem: unknown) => void;
  /** To all windows. */
  broadcast<Name extends EventName>(name: Name, event: Events[Name]): void;
}
