import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { WorkbenchError } from "../errors.js";
import { Queue } from "../queue.js";
import { writeJsonFile } from "../state/json-file.js";

/** Whether agents are told what the person looks at, kept over restarts. */
export class SharingSwitch {
  readonly #file: string;
  #on: boolean;
  readonly #queue = new Queue();

  private constructor(file: string, on: boolean) {
    this.#file = file;
    this.#on = on;
  }

  /** On, unless it was switched off; also off if that cannot be told. */
  static async open(stateDir: string): Promise<SharingSwitch> {
    const file = join(stateDir, "sharing.json");
    try {
      return new SharingSwitch(file, JSON.parse(await readFile(file, "utf8")).on === true);
    } catch (problem) {
      return new SharingSwitch(file, (problem as NodeJS.ErrnoException).code === "ENOENT");
    }
  }

  get on(): boolean {
    return this.#on;
  }

  /** Holds at once; resolves when it is on the disk. */
  async set(on: boolean): Promise<void> {
    this.#on = on;
    const saved = this.#queue.take(() => writeJsonFile(this.#file, { on: this.#on }));
    await saved.catch((problem: Error) => {
      const now = on ? "on" : "off";
      throw new WorkbenchError(
        `Sharing is ${now} now, but this could not be saved for the next start (${problem.message}). Make room for ${this.#file}, then switch again.`,
      );
    });
  }
}
