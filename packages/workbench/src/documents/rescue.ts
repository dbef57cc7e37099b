import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { lstat, open, readdir, readFile, rm, unlink } from "node:fs/promises";
import { basename, join } from "node:path";
import * as z from "zod/mini";
import { hashOf } from "./disk-file.js";

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;

const RESCUE = ".rescue";
const DRAFT = ".draft";
const DRAFT_NAME = /^\.lockstep-[0-9a-f]{12}$/;

/** The name of a file beside the one that is saved, until it takes its place. */
export const draftName = (): string => `.lockstep-${randomBytes(6).toString("hex")}`;

const rescueHead = z.object({
  path: z.string(),
  /** Bytes of the file before; what follows them are the new ones. */
  before: z.int().check(z.nonnegative()),
  hash: z.string(),
});

/**
 * Remembers what a save was about to do, for the next start after a crash: drafts that are to be
 * removed, and both contents of a file that had to be written in place.
 */
export class Rescues {
  constructor(readonly folder: string) {}

  /** Returns what forgets it again. */
  async noteDraft(path: string): Promise<() => Promise<void>> {
    return this.#keep(DRAFT, Buffer.from(path), false);
  }

  async noteWrite(path: string, before: Buffer, after: Buffer): Promise<() => Promise<void>> {
    const both = Buffer.concat([before, after]);
    const head = { path, before: before.length, hash: hashOf(both) };
    return this.#keep(
      RESCUE,
      Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), both]),
      true,
    );
  }

  /** Finishes and cleans up what a crash has left. */
  async recover(report: (problem: unknown) => void): Promise<void> {
    for (const name of await readdir(this.folder)) {
      const path = join(this.folder, name);
      try {
        if (name.endsWith(RESCUE)) await finishWrite(path);
        else if (name.endsWith(DRAFT)) await removeDraft(path);
        else continue;
        await rm(path, { force: true });
      } catch (problem) {
        report(problem);
      }
    }
  }

  async #keep(kind: string, bytes: Buffer, sync: boolean): Promise<() => Promise<void>> {
    const path = join(this.folder, randomBytes(8).toString("hex") + kind);
    try {
      const handle = await open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
      try {
        await handle.writeFile(bytes);
        if (sync) await handle.sync();
      } finally {
        await handle.close();
      }
    } catch (problem) {
      // Whether it can be removed or not, what went wrong before is what is told.
      await rm(path, { force: true }).catch(() => {});
      throw problem;
    }
    return () => rm(path, { force: true });
  }
}

async function removeDraft(note: string): Promise<void> {
  const path = (await readOwn(note)).toString();
  if (!DRAFT_NAME.test(basename(path))) return;
  const stats = await lstat(path).catch(() => null);
  if (stats?.isFile()) await unlink(path);
}

/** Only a file that is part new and part old is ours to finish: any other is whole. */
async function finishWrite(note: string): Promise<void> {
  const content = await readOwn(note);
  const end = content.indexOf(10);
  const head = rescueHead.safeParse(parse(content.subarray(0, end).toString())).data;
  const both = content.subarray(end + 1);
  // A torn note was never acted upon.
  if (!head || hashOf(both) !== head.hash) return;
  const [before, after] = [both.subarray(0, head.before), both.subarray(head.before)];
  const now = await readFile(head.path).catch(() => null);
  if (now && isHalfWritten(now, before, after)) await overwrite(head.path, after);
}

export function isHalfWritten(now: Buffer, before: Buffer, after: Buffer): boolean {
  if (now.equals(before)) return false;
  let written = 0;
  while (written < now.length && written < after.length && now[written] === after[written]) {
    written++;
  }
  if (now.length !== Math.max(written, before.length)) return false;
  return now.subarray(written).equals(before.subarray(written));
}

/** In place: the same inode, so that its other names see it too. */
export async function overwrite(path: string, bytes: Buffer): Promise<void> {
  const handle = await open(path, O_WRONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    for (let done = 0; done < bytes.length; ) {
      done += (await handle.write(bytes, done, bytes.length - done, done)).bytesWritten;
    }
    await handle.truncate(bytes.length);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function readOwn(path: string): Promise<Buffer> {
  const handle = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
