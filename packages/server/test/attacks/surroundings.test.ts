import { execFileSync } from "node:child_process";
import { chmod, chown, mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Scene } from "../scene.js";
import { tokenOf } from "../wire-agent.js";
import { titled, whyNoOtherUser } from "./needs.js";
import { ServerProcess } from "./server-process.js";

/** Nobody in particular; the tests become this user where they are root, whom nothing binds. */
const SOMEBODY = 61_234;

describe("a home that cannot be used is refused with a sentence, and nothing is changed", () => {
  it("an empty HOME, which would mean the current folder", async () => {
    await using scene = await Scene.open();
    const { folder } = scene;
    const refused = await ServerProcess.refused({ home: "", folder, cwd: folder });
    expect(refused.code).toBe("folder-unusable");
    expect(refused.message).toBe("Your home folder is not known. Set HOME to its path.");
    expect(await readdir(folder)).toEqual([]);
  });

  it("a home that does not exist, or that is read-only", async () => {
    await using scene = await Scene.open();
    const { folder } = scene;
    await chmod(scene.home, 0o755);
    const home = join(scene.home, "home");
    await mkdir(home);
    await chmod(home, 0o555);
    for (const place of [home, join(home, "missing")]) {
      const refused = await ServerProcess.refused({ home: place, folder, uid: SOMEBODY });
      expect(refused.code).toBe("folder-unusable");
      expect(refused.message).toMatch(/ide cannot be used \(EACCES.*\)\. Make it writable, or/);
    }
    expect(await readdir(home)).toEqual([]);
  });
});

describe("a place for leases that cannot be trusted is refused, and nothing is followed", () => {
  it("a link instead of the folder", async () => {
    await using scene = await Scene.open();
    const elsewhere = join(scene.home, "elsewhere");
    await mkdir(elsewhere);
    await symlink(elsewhere, join(scene.home, "state"));
    await expect(scene.serve()).rejects.toMatchObject({ code: "folder-not-private" });
    expect(await readdir(elsewhere)).toEqual([]);
  });

  it("a link, folder or pipe in the place of the lease", async () => {
    await using scene = await Scene.open();
    const first = await scene.serve();
    await first.stop();
    const leases = join(scene.home, "state", "leases");
    const [name = ""] = await readdir(leases);
    const path = join(leases, name);
    const target = join(scene.home, "target");
    await writeFile(target, await readFile(path));
    const plants: (() => unknown)[] = [
      () => symlink(target, path),
      () => mkdir(path),
      () => execFileSync("mkfifo", [path]),
    ];
    for (const plant of plants) {
      execFileSync("rm", ["-rf", path]);
      await plant();
      const before = await readFile(target, "utf8");
      await expect(scene.serve()).rejects.toMatchObject({ code: "path-occupied" });
      expect(await readFile(target, "utf8")).toBe(before);
    }
  });

  it("a folder that everybody may change, around the one for lock files", async () => {
    await using scene = await Scene.open();
    const open = join(scene.home, ".claude");
    await mkdir(open);
    await chmod(open, 0o777);
    await expect(scene.serve()).rejects.toMatchObject({
      code: "folder-not-private",
      message: expect.stringContaining("chmod o-w"),
    });
    expect(await readdir(open)).toEqual([]);
    // As in /tmp: nobody can put another in the place of what is ours.
    await chmod(open, 0o1777);
    await scene.serve();
  });
});

const noOtherUser = whyNoOtherUser();
describe.skipIf(noOtherUser)(titled("what another user owns is not trusted", noOtherUser), () => {
  it("a folder for lock files, or the one around it", async () => {
    for (const foreign of [".claude", ".claude/ide", "state", "state/leases"]) {
      await using scene = await Scene.open();
      await mkdir(join(scene.home, foreign), { recursive: true });
      await chown(join(scene.home, foreign), SOMEBODY, SOMEBODY);
      await expect(scene.serve(), foreign).rejects.toMatchObject({ code: "folder-not-private" });
      expect(await readdir(join(scene.home, foreign))).toEqual([]);
    }
  });

  it("a lease: its token is not used", async () => {
    await using scene = await Scene.open();
    const first = await scene.serve();
    const token = tokenOf(first);
    await first.stop();
    const leases = join(scene.home, "state", "leases");
    const [name = ""] = await readdir(leases);
    await chown(join(leases, name), SOMEBODY, SOMEBODY);
    expect(tokenOf(await scene.serve())).not.toBe(token);
  });
});

it("the lease of one workspace is not taken over by another", async () => {
  await using scene = await Scene.open();
  await using other = await Scene.open();
  const first = await scene.serve();
  const token = tokenOf(first);
  await first.stop();
  const second = await other.serve({ stateDir: join(scene.home, "state") });
  expect(second.port).not.toBe(first.port);
  expect(tokenOf(second)).not.toBe(token);
});

it("lock file and lease are closed to others, folders too", async () => {
  await using scene = await Scene.open();
  const previous = process.umask(0);
  const server = await scene.serve().finally(() => process.umask(previous));
  const mode = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);
  const leases = join(scene.home, "state", "leases");
  const [lease = ""] = await readdir(leases);
  expect(await mode(server.lockFiles[0] ?? "")).toBe("600");
  expect(await mode(join(leases, lease))).toBe("600");
  for (const folder of [leases, join(scene.home, "state"), join(scene.home, ".claude", "ide")]) {
    expect(await mode(folder)).toBe("700");
  }
});
