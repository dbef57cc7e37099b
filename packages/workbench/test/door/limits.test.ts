import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { describe, expect, it } from "vitest";
import type { Door } from "../../src/door/door.js";
import { ask, DoorScene, enter, originOf, socketTo } from "./scene.js";

const MB = 1024 * 1024;
const PATIENCE = { timeout: 10_000 };

/** A connection that has said what is given, and no more. */
async function half(door: Door, said: string): Promise<{ socket: Socket; heard: () => string }> {
  const socket = connect({ port: door.port, host: "127.0.0.1" });
  let heard = "";
  socket.on("data", (chunk) => (heard += chunk));
  socket.on("error", () => {});
  await once(socket, "connect");
  socket.write(said);
  return { socket, heard: () => heard };
}

/** What somebody who was let in says before a body; `length` is the header that tells how long it is. */
async function bodyHead(door: Door, length: string): Promise<string> {
  const { cookie } = await enter(door);
  const head = [
    "POST /body HTTP/1.1",
    `Host: 127.0.0.1:${door.port}`,
    `Origin: ${originOf(door)}`,
    `Cookie: ${cookie}`,
    length,
  ];
  return `${head.join("\r\n")}\r\n\r\n`;
}

describe("a body", () => {
  it("that says it is too large is not read", async () => {
    await using scene = await DoorScene.open();
    const door = await scene.door();
    const { socket, heard } = await half(door, await bodyHead(door, `Content-Length: ${65 * MB}`));
    await once(socket, "close");
    expect(heard()).toMatch(/^HTTP\/1.1 413 /);
  });

  it("that does not say so is not read to its end", async () => {
    await using scene = await DoorScene.open();
    const door = await scene.door();
    const { socket } = await half(door, await bodyHead(door, "Transfer-Encoding: chunked"));
    const closed = new Promise((resolve) => socket.on("close", resolve));
    const drained = () => new Promise((resolve) => socket.once("drain", resolve));
    const chunk = `${MB.toString(16)}\r\n${"x".repeat(MB)}\r\n`;
    for (let sent = 0; sent < 70 && !socket.destroyed; sent++) {
      if (!socket.write(chunk)) await Promise.race([drained(), closed]);
    }
    await closed;
    expect(scene.problems).toEqual([]);
  });

  it("waits its turn when several come at once, and none stands in the way for good", async () => {
    await using scene = await DoorScene.open();
    const door = await scene.door();
    const headers = { ...(await enter(door)), origin: originOf(door) };
    const head = [
      "POST /body HTTP/1.1",
      `Host: 127.0.0.1:${door.port}`,
      `Origin: ${originOf(door)}`,
      `Cookie: ${headers.cookie}`,
      "Content-Length: 10",
      "Expect: 100-continue",
    ];
    const slow = await Promise.all(
      [1, 2, 3, 4].map(() => half(door, `${head.join("\r\n")}\r\n\r\n12345`)),
    );
    await expect
      .poll(() => slow.every(({ heard }) => heard().includes("100 Continue")), PATIENCE)
      .toBe(true);
    const post = () => ask(door, "/body", { method: "POST", headers, body: "{}" });
    await expect.poll(async () => (await post()).status, PATIENCE).toBe(429);
    for (const { socket } of slow) socket.destroy();
    await expect.poll(async () => (await post()).status, PATIENCE).toBe(200);
    expect(scene.problems).toEqual([]);
  });
});

describe("a crowd", () => {
  it("of connections that say nothing shuts nobody out", async () => {
    await using scene = await DoorScene.open();
    const door = await scene.door();
    const headers = { ...(await enter(door)), origin: originOf(door) };
    const window = await socketTo(door, headers);
    const crowd = await Promise.all(Array.from({ length: 600 }, () => half(door, "GET / HT")));
    const ended = () => crowd.filter(({ socket }) => socket.closed).length;
    await expect.poll(ended, PATIENCE).toBeGreaterThanOrEqual(300);
    expect((await ask(door, "/alive", { headers })).status).toBe(204);
    window.send("still here");
    expect(String((await once(window, "message"))[0])).toBe("still here");
    for (const { socket } of crowd) socket.destroy();
  });

  it("of windows ends at 64, and one that closes makes room", async () => {
    await using scene = await DoorScene.open();
    const door = await scene.door();
    const headers = { ...(await enter(door)), origin: originOf(door) };
    const windows = await Promise.all(Array.from({ length: 64 }, () => socketTo(door, headers)));
    await expect(socketTo(door, headers)).rejects.toThrow("503");
    windows[0]?.close();
    const come = () =>
      socketTo(door, headers).then(
        () => "in",
        (error) => error.message,
      );
    await expect.poll(come, PATIENCE).toBe("in");
  });

  it("of slow talkers is not waited for", async () => {
    await using scene = await DoorScene.open();
    const door = await scene.door();
    const { socket, heard } = await half(door, "GET / HTTP/1.1\r\nHost: ");
    await once(socket, "close");
    expect(heard()).toMatch(/^HTTP\/1.1 408 /);
  });
});

describe("a window", () => {
  it("cannot send more than 2 MB in one message", async () => {
    await using scene = await DoorScene.open();
    const door = await scene.door();
    const socket = await socketTo(door, { ...(await enter(door)), origin: originOf(door) });
    socket.send("x".repeat(2 * MB));
    expect(String((await once(socket, "message"))[0])).toHaveLength(2 * MB);
    socket.send("x".repeat(2 * MB + 1));
    expect((await once(socket, "close"))[0]).toBe(1009);
    expect(scene.problems).toEqual([]);
  });

  it("that speaks no WebSocket harms only itself", async () => {
    await using scene = await DoorScene.open();
    const door = await scene.door();
    const headers = { ...(await enter(door)), origin: originOf(door) };
    const other = await socketTo(door, headers);
    const head = (version: string) =>
      [
        "GET /socket HTTP/1.1",
        `Host: 127.0.0.1:${door.port}`,
        `Origin: ${headers.origin}`,
        `Cookie: ${headers.cookie}`,
        "Connection: Upgrade",
        "Upgrade: websocket",
        `Sec-WebSocket-Version: ${version}`,
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
      ].join("\r\n");
    const old = await half(door, `${head("1")}\r\n\r\n`);
    await once(old.socket, "close");
    expect(old.heard()).toMatch(/^HTTP\/1.1 (400|426) /);
    // Not masked; reserved bits; 2^62 bytes to come; a fragment of nothing; no frame at all.
    const frames = ["8101ff", "f180", "81ff4000000000000000", "8000", "ffffffffffffffff"];
    for (const frame of frames) {
      const { socket, heard } = await half(door, `${head("13")}\r\n\r\n`);
      await expect.poll(heard, PATIENCE).toContain("101 Switching");
      socket.write(Buffer.from(frame, "hex"));
      await once(socket, "close");
    }
    const { socket } = await half(door, `${head("13")}\r\n\r\n`);
    socket.resetAndDestroy();
    other.send("still here");
    expect(String((await once(other, "message"))[0])).toBe("still here");
    expect(scene.problems).toEqual([]);
  });

  it("is not offered compression, which a small bomb would turn into much memory", async () => {
    await using scene = await DoorScene.open();
    const door = await scene.door();
    const socket = await socketTo(door, { ...(await enter(door)), origin: originOf(door) });
    expect(socket.extensions).toBe("");
  });
});
