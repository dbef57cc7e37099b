import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import { Queue } from "../queue.js";
import { readJsonFile, writeJsonFile } from "../state/json-file.js";

const content = z.templateLiteral([z.enum(["git", "copy", "none"]), ":", z.string()]);
const image = z.nullable(
  z.union([
    z.object({ kind: z.literal("file"), mode: z.number(), size: z.number(), content }),
    z.object({ kind: z.literal("link"), target: z.string() }),
  ]),
);
const whole = z.enum(["pending", "kept", "undone"]);
const decision = z.enum(["pending", "kept", "dropped", "edited"]);
const hunk = z.object({
  ...{ id: z.number(), from: z.number(), to: z.number() },
  lines: z.array(z.string()),
  decision,
});
const lines = z.nullable(z.number());
const file = z.object({
  ...{ id: z.string(), path: z.string(), from: z.nullable(z.string()) },
  ...{ before: image, after: image },
  content: z.enum(["text", "binary", "link", "unknown"]),
  ...{ added: lines, removed: lines, whole },
  hunks: z.nullable(z.array(hunk)),
  yours: z.array(z.number()),
  ...{ seen: z.nullable(z.string()), trashed: z.nullable(z.string()) },
});
const step = z.object({
  file: z.string(),
  whole: z.nullable(whole),
  hunks: z.array(z.tuple([z.number(), decision])),
});
const act = z.object({ label: z.string(), steps: z.array(step) });

/** A turn as it is kept on the disk. */
const record = z.object({
  format: z.literal(1),
  id: z.string().check(z.regex(/^[0-9a-f-]{1,64}$/)),
  since: z.number(),
  until: z.nullable(z.number()),
  agent: z.nullable(z.string()),
  others: z.array(z.string()),
  cut: z.number(),
  stale: z.array(z.string()),
  files: z.array(file),
  ...{ past: z.array(act), future: z.array(act) },
});
export type TurnRecord = z.infer<typeof record>;
export type Act = z.infer<typeof act>;
export type Step = z.infer<typeof step>;

/** Turns on the disk: one file each, whole or not at all, for this user only. */
export class TurnRecords {
  readonly #folder: string;
  readonly #queue = new Queue();
  readonly #report: (problem: unknown) => void;

  constructor(folder: string, report: (problem: unknown) => void) {
    this.#folder = folder;
    this.#report = report;
  }

  /** The oldest first. What is not one, or only half of one, goes. */
  async read(): Promise<readonly TurnRecord[]> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const found: TurnRecord[] = [];
    for (const name of await readdir(this.#folder)) {
      const path = join(this.#folder, name);
      const { data } = record.safeParse(name.endsWith(".json") ? await readJsonFile(path) : null);
      if (data) found.push(data);
      else await rm(path, { recursive: true, force: true });
    }
    return found.sort((a, b) => a.since - b.since);
  }

  write(turn: TurnRecord): void {
    this.#then(() => writeJsonFile(this.#path(turn.id), turn));
  }

  remove(id: string): void {
    this.#then(() => rm(this.#path(id), { force: true }));
  }

  async flush(): Promise<void> {
    await this.#queue.idle();
  }

  #then(work: () => Promise<void>): void {
    this.#queue.take(work).catch(this.#report);
  }

  #path(id: string): string {
    return join(this.#folder, `${id}.json`);
  }
}
