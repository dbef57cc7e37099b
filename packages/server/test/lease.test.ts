import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, utimes, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Scene } from "./scene.js";
import { tokenOf } from "./wire-agent.js";

const leaseFiles = async (scene: Scene) => {
  const folder = join(scene.home, "state", "leases");
  return (await readdir(folder)).map((name) => join(folder, name));
};

const rewrite = async (path: string, changes: object) => {
  const lease = JSON.parse(await readFile(path, "utf8"));
  await writeFile(path, JSON.stringify({ ...lease, ...changes }));
};

/** The number of a process that has just ended. */
async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ["-e", "0"]);
  await once(child, "exit");
  return child.pid ?? 0;
}

describe("port and token", () => {
  it("are the same again when the editor restarts", async () => {
    await using scene = await Scene.open();
    const first = await scene.serve();
    const { port } = first;
    const token = tokenOf(first);
    await first.stop();
    const second = await scene.serve();
    expect(second.port).toBe(port);
    expect(tokenOf(second)).toBe(token);
  });

  it("are the same after a crash, and the lock file that it left is taken over", async () => {
    await using scene = await Scene.open();
    const first = await scene.serve();
    const token = tokenOf(first);
    const lock = await readFile(first.lockFiles[0] ?? "", "utf8");
    await first.stop();
    const [lease = ""] = await leaseFiles(scene);
    await rewrite(lease, { holder: { pid: await deadPid(), began: "1" } });
    await writeFile(first.lockFiles[0] ?? "", lock);
    const second = await scene.serve();
    expect([second.port, tokenOf(second)]).toEqual([first.port, token]);
  });

  it("are others for a second editor on the same folder, which keeps its own too", async () => {
    await using scene = await Scene.open();
    const first = await scene.serve();
    const second = await scene.serve();
    expect(second.port).not.toBe(first.port);
    expect(tokenOf(second)).not.toBe(tokenOf(first));
    const tokens = [tokenOf(first), tokenOf(second)];
    await first.stop();
    await second.stop();
    const again = [await scene.serve(), await scene.serve()];
    expect(again.map(({ port }) => port)).toEqual([first.port, second.port]);
    expect(again.map(tokenOf)).toEqual(tokens);
  });

  it("are never shared by editors that start at the same moment", async () => {
    await using scene = await Scene.open();
    const servers = await Promise.all(Array.from({ length: 6 }, () => scene.serve()));
    expect(new Set(servers.map(({ port }) => port)).size).toBe(6);
    expect(new Set(servers.map(tokenOf)).size).toBe(6);
  });

  it("are others for another folder", async () => {
    await using scene = await Scene.open();
    await using other = await Scene.open();
    const first = await scene.serve();
    const second = await other.serve({ stateDir: join(scene.home, "state") });
    expect(second.port).not.toBe(first.port);
    expect(tokenOf(second)).not.toBe(tokenOf(first));
  });

  it("lie outside the range from which the system takes ports for outgoing connections", async () => {
    await using scene = await Scene.open();
    const { port } = await scene.serve();
    expect(port).toBeGreaterThanOrEqual(10_000);
    expect(port).toBeLessThan(32_768);
  });
});

describe("a token is never used again", () => {
  it("when a stranger has taken the port: agents may have sent it there", async () => {
    await using scene = await Scene.open();
    const first = await scene.serve();
    const token = tokenOf(first);
    const stale = await readFile(first.lockFiles[0] ?? "", "utf8");
    await first.stop();
    const stranger = createServer().listen(first.port, "127.0.0.1");
    await once(stranger, "listening");
    await writeFile(first.lockFiles[0] ?? "", stale, { mode: 0o600 });
    const second = await scene.serve();
    expect(second.port).not.toBe(first.port);
    expect(tokenOf(second)).not.toBe(token);
    const locks = await readdir(join(scene.home, ".claude", "ide"));
    expect(locks).toEqual([`${second.port}.lock`]);
    stranger.close();
    await second.stop();
    expect(tokenOf(await scene.serve())).not.toBe(token);
  });

  it("when it has not been used for a day", async () => {
    await using scene = await Scene.open();
    const first = await scene.serve();
    const token = tokenOf(first);
    await first.stop();
    const [lease = ""] = await leaseFiles(scene);
    const yesterday = new Date(Date.now() - 25 * 60 * 60 * 1000);
    await utimes(lease, yesterday, yesterday);
    expect(tokenOf(await scene.serve())).not.toBe(token);
  });

  it("when the lease is damaged", async () => {
    await using scene = await Scene.open();
    const first = await scene.serve();
    const token = tokenOf(first);
    for (const damage of ["", "{", "null", '{"port":-1,"token":"short"}', "x".repeat(2_000_000)]) {
      await first.stop();
      const [lease = ""] = await leaseFiles(scene);
      await writeFile(lease, damage);
      const next = await scene.serve();
      expect(tokenOf(next)).not.toBe(token);
      await next.stop();
    }
  });
});

describe("lock files left behind by a crash", () => {
  it("are removed at the next start if they are ours, and nobody else's are", async () => {
    await using scene = await Scene.open();
    await using elsewhere = await Scene.open();
    const shared = { configDir: join(scene.home, ".claude"), stateDir: join(scene.home, "state") };
    const crashed = await elsewhere.serve(shared);
    const [ours = ""] = crashed.lockFiles;
    const lock = await readFile(ours, "utf8");
    const [lease = ""] = await leaseFiles(scene);
    await crashed.stop();
    await rewrite(lease, { holder: { pid: await deadPid(), began: "1" } });
    await writeFile(ours, lock);
    const theirs = join(scene.home, ".claude", "ide", "11111.lock");
    await writeFile(theirs, JSON.stringify({ ...JSON.parse(lock), pid: 1, authToken: "theirs" }));
    const server = await scene.serve();
    const left = await readdir(join(scene.home, ".claude", "ide"));
    expect(left.sort()).toEqual(["11111.lock", `${server.port}.lock`].sort());
  });

  it("are kept while their server lives", async () => {
    await using scene = await Scene.open();
    await using elsewhere = await Scene.open();
    const living = await scene.serve();
    await elsewhere.serve({
      configDir: join(scene.home, ".claude"),
      stateDir: join(scene.home, "state"),
    });
    expect(await readdir(join(scene.home, ".claude", "ide"))).toContain(`${living.port}.lock`);
  });
});
