import { join } from "node:path";
import * as z from "zod/mini";
import { Queue } from "../queue.js";
import { readJsonFile, writeJsonFile } from "../state/json-file.js";

const kept = z.object({
  port: z.int().check(z.minimum(1), z.maximum(65_535)),
  keys: z.array(
    z.object({ digest: z.string().check(z.regex(/^[0-9a-f]{64}$/)), used: z.number() }),
  ),
});

/** What a door keeps from one run to the next. */
export type KeptDoor = z.infer<typeof kept>;

/** The file that it is kept in. Writes follow one another, so the last one stays. */
export class DoorFile {
  readonly #path: string;
  readonly #queue = new Queue();

  constructor(stateDir: string) {
    this.#path = join(stateDir, "door.json");
  }

  /** Null for a file that is not there, or that we did not write ourselves, whole. */
  async read(): Promise<KeptDoor | null> {
    return kept.safeParse(await readJsonFile(this.#path)).data ?? null;
  }

  write(door: KeptDoor): Promise<void> {
    return this.#queue.take(() => writeJsonFile(this.#path, door));
  }
}
