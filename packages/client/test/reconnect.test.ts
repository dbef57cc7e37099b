import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ConnectOptions, connect, findIdes, type IdeConnection } from "../src/index.js";
import { FakeIde, json } from "./fake-ide.js";

let configDir: string;

beforeEach(async () => {
  configDir = await mkdtemp(join(tmpdir(), "lockstep-reconnect-"));
  await mkdir(join(configDir, "ide"));
});

afterEach(() => rm(configDir, { recursive: true }));

const lockPath = (port: number) => join(configDir, "ide", `${port}.lock`);
const find = () => ({ configDir, env: {} });

/** An editor that announces itself, and whose only tab has this name. */
async function announce(
  tab: string,
  authToken: string,
  name = "Fake",
  greeting?: string,
): Promise<FakeIde> {
  const fake = await FakeIde.start({
    token: authToken,
    greeting,
    tool: () => json({ tabs: [{ uri: `file:///p/${tab}`, label: tab }] }),
  });
  const lock = { pid: process.pid, workspaceFolders: ["/p"], ideName: name, transport: "ws" };
  await writeFile(lockPath(fake.port), JSON.stringify({ ...lock, authToken }), { mode: 0o600 });
  return fake;
}

async function leave(fake: FakeIde): Promise<void> {
  await rm(lockPath(fake.port));
  await fake[Symbol.asyncDispose]();
}

async function connectTo(
  fake: FakeIde,
  delaysMs: readonly number[],
  options: ConnectOptions = {},
): Promise<IdeConnection> {
  const ides = await findIdes(find());
  const ide = ides.find(({ port }) => port === fake.port)!;
  return connect(ide, { ...options, reconnect: { delaysMs, find: find() } });
}

const next = (connection: IdeConnection, event: "lost" | "restored") =>
  new Promise((resolve) => connection.on(event, resolve));

describe("a connection that is to last", () => {
  it("is made again at once when it drops, and calls in between wait for it", async () => {
    await using fake = await announce("a", "token");
    await using connection = await connectTo(fake, [0]);
    const lost = next(connection, "lost");
    fake.drop();
    await lost;
    expect((await connection.tools.getOpenEditors()).map(({ label }) => label)).toEqual(["a"]);
    expect(fake.upgrades).toHaveLength(2);
  });

  it("finds the editor again on another port with another token", async () => {
    const before = await announce("before", "old-token");
    await using connection = await connectTo(before, [0, 0, 0, 0]);
    await using _stranger = await announce("stranger", "other-token", "Stranger");
    const restored = next(connection, "restored");
    await using after = await announce("after", "new-token");
    await leave(before);
    await restored;
    expect(connection.ide.port).toBe(after.port);
    expect(after.upgrades[0]!.headers["x-claude-code-ide-authorization"]).toBe("new-token");
    expect((await connection.tools.getOpenEditors())[0]?.label).toBe("after");
  });

  it("goes on after several drops", async () => {
    await using fake = await announce("a", "token");
    await using connection = await connectTo(fake, [0]);
    for (let drops = 0; drops < 3; drops++) {
      const restored = next(connection, "restored");
      fake.drop();
      await restored;
    }
    expect(await connection.tools.getOpenEditors()).toHaveLength(1);
  });

  it("ends after the last attempt, and calls say why", async () => {
    const fake = await announce("a", "token");
    const connection = await connectTo(fake, [0, 1]);
    const lost = next(connection, "lost");
    await leave(fake);
    await lost;
    await expect(connection.tools.getOpenEditors()).rejects.toThrow("did not come back");
    await connection.closed;
  });

  it("keeps a call's own limits while it waits", async () => {
    const fake = await announce("a", "token");
    const connection = await connectTo(fake, [100_000]);
    const lost = next(connection, "lost");
    await leave(fake);
    await lost;
    const late = connection.tools.getOpenEditors({}, { timeoutMs: 1 });
    await expect(late).rejects.toThrow("no answer in 1 ms");
    const signal = AbortSignal.abort(new Error("enough"));
    await expect(connection.call("openDiff", {}, { signal })).rejects.toThrow("enough");
    await connection.close();
    await expect(connection.call("getOpenEditors")).rejects.toThrow("closed");
  });

  it("is not made again after it was closed here", async () => {
    await using fake = await announce("a", "token");
    const connection = await connectTo(fake, [0, 0]);
    await connection.close();
    await connection.closed;
    expect(fake.upgrades).toHaveLength(1);
  });

  it("is closed while an attempt's handshake completes, and leaves no socket", async () => {
    await using fake = await announce("a", "token", "Fake", "hello");
    let greetings = 0;
    let greetedAgain = () => {};
    const again = new Promise<void>((resolve) => {
      greetedAgain = resolve;
    });
    let closing: Promise<void> | undefined;
    const connection: IdeConnection = await connectTo(fake, [0], {
      onNotification: () => {
        if (++greetings < 2) return;
        closing = connection.close();
        greetedAgain();
      },
    });
    fake.drop();
    await again;
    await closing;
    expect(fake.upgrades).toHaveLength(2);
    await expect.poll(() => fake.sockets.size).toBe(0);
  });

  it.each(["lost", "restored"] as const)("outlasts a listener of %s that throws", async (event) => {
    await using fake = await announce("a", "token");
    const faults: unknown[] = [];
    const onFault = (fault: unknown) => faults.push(fault);
    await using connection = await connectTo(fake, [0, 0, 0], { onFault });
    const mine = new Error("mine");
    connection.on(event, () => {
      throw mine;
    });
    const told = [next(connection, "lost"), next(connection, "restored")];
    fake.drop();
    await Promise.all(told);
    expect(await connection.tools.getOpenEditors()).toHaveLength(1);
    expect(fake.upgrades).toHaveLength(2);
    expect(faults).toEqual([mine]);
  });
});
