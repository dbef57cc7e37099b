import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { titled, whyNoOtherUser } from "../../../server/test/attacks/needs.js";
import type { Door } from "../../src/door/door.js";
import { DoorScene, enter, originOf, UPGRADE } from "./scene.js";

const NOBODY = 65_534;
const reason = whyNoOtherUser();

/** The status of a request over a connection that this user has made. */
async function askAs(user: number, door: Door, lines: readonly string[]): Promise<number> {
  process.seteuid?.(user);
  const socket = connect({ port: door.port, host: "127.0.0.1" });
  await once(socket, "connect");
  process.seteuid?.(0);
  socket.write(`${[...lines, `Host: 127.0.0.1:${door.port}`].join("\r\n")}\r\n\r\n`);
  const [chunk] = await once(socket, "data");
  socket.destroy();
  return Number(String(chunk).split(" ")[1]);
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
});
