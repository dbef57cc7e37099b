import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { DiskWatch } from "../../src/files/disk-watch.js";

it("A folder is watched once, however often that is asked for at the same time", async () => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "lockstep-watch-")));
  const seen: string[] = [];
  const watch = new DiskWatch({
    changed: (changes) => seen.push(...changes.map(({ path }) => path)),
    gitMoved: () => {},
    missed: () => {},
    failed: (_folder, why) => expect.unreachable(why),
  });
  onTestFinished(async () => {
    await watch.close();
    await rm(folder, { recursive: true });
  });
  await Promise.all([watch.watch(folder), watch.watch(folder)]);
  const [first, last] = [join(folder, "first"), join(folder, "last")];
  await writeFile(first, "");
  await expect.poll(() => seen, { timeout: 20_000 }).toContain(first);
  await writeFile(last, "");
  await expect.poll(() => seen, { timeout: 20_000 }).toContain(last);
  expect(seen.filter((path) => path === first)).toHaveLength(1);
});
