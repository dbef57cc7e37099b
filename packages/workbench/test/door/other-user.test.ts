import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { titled, whyNoOtherUser } from "../../../server/test/attacks/needs.js";
import type { Door } from "../../src/door/door.js";
import { isAnotherUsers } from "../../src/door/peer-owner.js";
import { DoorScene, enter, originOf, UPGRADE } from "./scene.js";

const NOBODY = 65_534;
const reason = whyNoOtherUser();

/** A connection that this user has made, at a port of its own choice or at any. */
async function connectAs(user: number, port: number, from?: number): Promise<Socket> {
  const own = from === undefined ? {} : { localAddress: "127.0.0.1", localPort: from };
  process.seteuid?.(user);
  const socket = connect({ port, host: "127.0.0.1", ...own });
  await once(socket, "connect").finally(() => process.seteuid?.(0));
  return socket;
}

/** The status of a request over a connection. */
async function askOver(socket: Socket, door: Door, lines: readonly string[]): Promise<number> {
  socket.write(`${[...lines, `Host: 127.0.0.1:${door.port}`].join("\r\n")}\r\n\r\n`);
  const [chunk] = await once(socket, "data");
  socket.destroy();
  return Number(String(chunk).split(" ")[1]);
}

const askAs = async (user: number, door: Door, lines: readonly string[]) =>
  askOver(await connectAs(user, door.port), door, lines);

/** What is thought of a peer once it has said something and done this. */
async function judged(user: number, act: (socket: Socket) => void): Promise<boolean> {
  const server = createServer();
  onTestFinished(() => void server.close());
  await once(server.listen(0, "127.0.0.1"), "listening");
  const heard = new Promise<Socket>((resolve) => {
    server.on("connection", (peer) => {
      // One that hangs up without a word more is an error here, and the point of it.
      peer.on("error", () => {});
      peer.once("data", () => resolve(peer));
    });
  });
  const socket = await connectAs(user, (server.address() as AddressInfo).port);
  socket.write("something");
  act(socket);
  const peer = await heard;
  try {
    return await isAnotherUsers(peer);
  } finally {
    socket.destroy();
    peer.destroy();
  }
}

describe.skipIf(reason)(titled("another user of this machine", reason), () => {
  it("can do nothing with a launch address that was seen on a command line", async () => {
    await using scene = await DoorScene.open();
    const door = await scene.door();
    const { pathname, search } = new URL(door.launchUrl());
    const launch = [`GET ${pathname}${search} HTTP/1.1`];
    expect(await askAs(NOBODY, door, launch)).toBe(403);
    // Nor spoil it.
    expect(await askAs(0, door, launch)).toBe(303);
  });

  it("can do nothing with a cookie that a browser has shown to that user's own server", async () => {
    await using scene = await DoorScene.open();
    const door = await scene.door();
    const cookie = `Cookie: ${(await enter(door)).cookie}`;
    const socket = ["GET /socket HTTP/1.1", ...UPGRADE, `Origin: ${originOf(door)}`, cookie];
    for (const lines of [["GET / HTTP/1.1", cookie], ["GET /alive HTTP/1.1", cookie], socket]) {
      expect(await askAs(NOBODY, door, lines)).toBe(403);
    }
    expect(await askAs(0, door, socket)).toBe(101);
  });

  it("is not taken for root by a connection between other addresses that had the same ports", async () => {
    await using scene = await DoorScene.open();
    const door = await scene.door();
    const cookie = `Cookie: ${(await enter(door)).cookie}`;
    // Which of two lines comes first in the system's table is chance, and another one at each address.
    for (let last = 2; last < 22; last++) {
      const host = `127.0.0.${last}`;
      const twins = createServer((socket) => socket.resume());
      onTestFinished(() => void twins.close());
      await once(twins.listen(door.port, host), "listening");
      const twin = connect({ port: door.port, host, localAddress: host });
      await once(twin, "connect");
      const { localPort } = twin;
      // Who closes first leaves a line behind for a minute, which is root's.
      await once(twin.end().resume(), "close");
      const socket = await connectAs(NOBODY, door.port, localPort);
      expect(await askOver(socket, door, ["GET /alive HTTP/1.1", cookie])).toBe(403);
    }
  });

  it("is not taken for this one by hanging up before it is looked at", async () => {
    expect(await judged(NOBODY, (socket) => socket.destroy())).toBe(true);
    expect(await judged(NOBODY, (socket) => socket.resetAndDestroy())).toBe(true);
    expect(await judged(NOBODY, () => {})).toBe(true);
    expect(await judged(0, () => {})).toBe(false);
  });
});
