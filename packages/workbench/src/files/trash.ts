import { randomUUID } from "node:crypto";
import { lstat, mkdir, readdir, readFile, rm, rmdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { moveTo } from "./moving.js";

const DAY_MS = 24 * 60 * 60 * 1_000;

export interface TrashLimits {
  readonly bytes: number;
  readonly ageMs: number;
}
/** What was deleted in the last day stays, however large it is. */
const LIMITS: TrashLimits = { bytes: 1024 ** 3, ageMs: 30 * DAY_MS };

/** Something deleted: its place in the trash, and where it was. */
export interface Trashed {
  readonly id: string;
  readonly from: string;
}

/**
 * Where deleted things go. Each has a folder of its own, with `item`, the thing itself, and
 * `from.json`, which tells a person where it was.
 */
export class Trash {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async take(path: string): Promise<Trashed> {
    const id = `${Date.now()}-${randomUUID()}`;
    const place = join(this.#folder, id);
    await mkdir(place, { recursive: true, mode: 0o700 });
    try {
      await writeFile(join(place, "from.json"), JSON.stringify({ from: path }), { mode: 0o600 });
      await moveTo(path, join(place, "item"));
    } catch (problem) {
      // A thing that was copied here and could not be taken away there stays: it may be the only whole one.
      await rm(join(place, "from.json"), { force: true });
      await rmdir(place).catch(() => {});
      throw problem;
    }
    return { id, from: path };
  }

  /** Puts it back, or to another place. Fails if that is taken, and then still has it. */
  async giveBack({ id, from }: Trashed, to = from): Promise<void> {
    const place = join(this.#folder, id);
    await moveTo(join(place, "item"), to);
    await rm(place, { recursive: true, force: true });
  }

  /** Keeps the text that a file had. */
  async keep(path: string, bytes: Buffer): Promise<Trashed> {
    const id = `${Date.now()}-${randomUUID()}`;
    const place = join(this.#folder, id);
    await mkdir(place, { recursive: true, mode: 0o700 });
    await writeFile(join(place, "from.json"), JSON.stringify({ from: path }), { mode: 0o600 });
    await writeFile(join(place, "item"), bytes, { mode: 0o600 });
    return { id, from: path };
  }

  read({ id }: Trashed): Promise<Buffer> {
    return readFile(join(this.#folder, id, "item"));
  }

  async forget({ id }: Trashed): Promise<void> {
    await rm(join(this.#folder, id), { recursive: true, force: true });
  }

  /** Forgets what is too old, and the oldest while there is too much; never what undo may still need. */
  async prune(
    limits: TrashLimits = LIMITS,
    now = Date.now(),
    needed: ReadonlySet<string> = new Set(),
  ): Promise<void> {
    const ids = await readdir(this.#folder).catch(() => []);
    const entries = ids
      .map((id) => ({ id, at: Number.parseInt(id, 10) }))
      .filter(({ id, at }) => Number.isFinite(at) && !needed.has(id))
      .sort((a, b) => b.at - a.at);
    let bytes = 0;
    for (const { id, at } of entries) {
      const place = join(this.#folder, id);
      const old = now - at > limits.ageMs;
      if (!old) bytes += await sizeOf(place);
      if (old || (bytes > limits.bytes && now - at > DAY_MS)) {
        await rm(place, { recursive: true, force: true });
      }
    }
  }
}

async function sizeOf(path: string): Promise<number> {
  const stats = await lstat(path).catch(() => null);
  if (!stats?.isDirectory()) return stats?.size ?? 0;
  let bytes = 0;
  for (const name of await readdir(path).catch(() => [])) bytes += await sizeOf(join(path, name));
  return bytes;
}
