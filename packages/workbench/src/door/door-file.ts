import { join } from "node:path";
import type { KeptKey } from "./keys.js";
import { readPrivate, writePrivate } from "./private-file.js";

/** What a door keeps from one run to the next. */
export interface KeptDoor {
  readonly port: number;
  readonly keys: readonly KeptKey[];
}

/** The file that it is kept in. Writes follow one another, so the last one stays. */
export class DoorFile {
  readonly #path: string;
  #written: Promise<void> = Promise.resolve();

  constructor(stateDir: string) {
    this.#path = join(stateDir, "door.json");
  }

  /** Null for a file that is not there, or that we did not write ourselves, whole. */
  async read(): Promise<KeptDoor | null> {
    try {
      const { port, keys } = JSON.parse((await readPrivate(this.#path)) ?? "null");
      const valid =
        Number.isInteger(port) &&
        port >= 1 &&
        port <= 65535 &&
        Array.isArray(keys) &&
        keys.every((key) => /^[0-9a-f]{64}$/.test(key?.digest) && Number.isFinite(key?.used));
      return valid ? { port, keys } : null;
    } catch {
      return null;
    }
  }

  write(door: KeptDoor): Promise<void> {
    const next = this.#written.then(() => writePrivate(this.#path, JSON.stringify(door)));
    this.#written = next.catch(() => {});
    return next;
  }
}
