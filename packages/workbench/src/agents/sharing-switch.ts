import { randomUUID } from "node:crypto";
import { readFile, rename, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { WorkbenchError } from "../errors.js";

/** Whether agents are told what the person looks at, kept over restarts. */
export class SharingSwitch {
  readonly #file: string;
  #on: boolean;
  #saving: Promise<void> = Promise.resolve();

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
    this.#saving = this.#saving.catch(() => {}).then(() => this.#save());
    await this.#saving.catch((problem: Error) => {
      const now = on ? "on" : "off";
      throw new WorkbenchError(
        `Sharing is ${now} now, but this could not be saved for the next start (${problem.message}). Make room for ${this.#file}, then switch again.`,
      );
    });
  }

  async #save(): Promise<void> {
    const draft = `${this.#file}.${randomUUID()}`;
    try {
      await writeFile(draft, JSON.stringify({ on: this.#on }), { mode: 0o600, flag: "wx" });
      await rename(draft, this.#file);
    } catch (problem) {
      await unlink(draft).catch(() => {});
      throw problem;
    }
  }
}
