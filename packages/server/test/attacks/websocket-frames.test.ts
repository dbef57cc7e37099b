import { describe, expect, it } from "vitest";
import { Scene } from "../scene.js";
import { longestWaitDuring } from "./latency.js";
import { type FrameOptions, frame, noise, Opcode, RawAgent, request } from "./raw-agent.js";

/** What one agent gets for these bytes, with another that is served all the while. */
async function closeCodeFor(...frames: readonly Buffer[]): Promise<number | null> {
  await using scene = await Scene.open();
  const server = await scene.serve();
  const good = await scene.agent(server);
  const bad = await RawAgent.open(server);
  void bad.write(Buffer.concat(frames));
  const code = await bad.closed;
  expect((await good.call("getWorkspaceFolders")).isError).toBe(false);
  expect(scene.problems).toEqual([]);
  return code;
}

const PING = request(1, "ping");

describe("what breaks RFC 6455 is closed with its code, and nobody else notices", () => {
  const broken: [name: string, code: number, options: FrameOptions][] = [
    ["an unmasked frame", 1002, { masked: false }],
    ["the first reserved bit, which is compression's", 1002, { reserved: 4 }],
    ["the other reserved bits", 1002, { reserved: 3 }],
    ["an opcode for data that does not exist", 1002, { opcode: 5 }],
    ["an opcode for control that does not exist", 1002, { opcode: 11 }],
    ["a continuation of nothing", 1002, { opcode: Opcode.more }],
    ["a control frame in pieces", 1002, { opcode: Opcode.ping, fin: false }],
    ["a length of 2^62", 1009, { length: 2n ** 62n }],
    ["a message of more than 100 MiB, before any of it has come", 1009, { length: 104_857_601n }],
  ];
  for (const [name, code, options] of broken) {
    it(`${name}: ${code}`, async () => {
      expect(await closeCodeFor(frame(PING, options))).toBe(code);
    });
  }

  it("a control frame that is too long: 1002", async () => {
    expect(await closeCodeFor(frame("x".repeat(126), { opcode: Opcode.ping }))).toBe(1002);
  });

  it("text that is not UTF-8: 1007", async () => {
    const overlong = Buffer.from([0xc0, 0xaf]);
    const surrogate = Buffer.from([0xed, 0xa0, 0x80]);
    for (const bytes of [overlong, surrogate, Buffer.from([0xff])]) {
      expect(await closeCodeFor(frame(bytes))).toBe(1007);
    }
  });

  it("a compressed bomb: 1002, because compression was declined", async () => {
    expect(await closeCodeFor(frame(noise(100), { reserved: 4, opcode: Opcode.binary }))).toBe(
      1002,
    );
  });

  it("a message in ever more pieces: 1008, empty pieces too", async () => {
    const piece = { fin: false, opcode: Opcode.more };
    for (const text of ["x", ""]) {
      const pieces = Array.from({ length: 20_000 }, () => frame(text, piece));
      expect(await closeCodeFor(frame("x", { fin: false }), ...pieces)).toBe(1008);
    }
  });

  it("noise instead of frames: closed", async () => {
    for (let round = 0; round < 20; round++) {
      // The first byte has a reserved bit, so that no noise happens to be a frame that waits for more.
      const bytes = Buffer.concat([Buffer.from([0xf1]), noise(5_000)]);
      expect(await closeCodeFor(bytes)).toBe(1002);
    }
  });
});

it("pieces that together exceed 100 MiB are closed with 1009, not gathered", async () => {
  const large = frame(Buffer.alloc(60 * 1024 * 1024, 0x20), { fin: false });
  const rest = frame("", { opcode: Opcode.more, length: 60n * 1024n * 1024n });
  expect(await closeCodeFor(large, rest)).toBe(1009);
});

describe("a flood of pings", () => {
  const PINGS = 400_000;
  const flood = () => {
    const ping = frame("x".repeat(125), { opcode: Opcode.ping });
    return Buffer.concat(Array.from({ length: PINGS }, () => ping));
  };

  it("piles up no pongs for an agent that does not read them", async () => {
    await using scene = await Scene.open();
    const server = await scene.serve({ keepalive: false });
    const good = await scene.agent(server);
    const bad = await RawAgent.open(server);
    bad.socket.pause();
    const { longestMs } = await longestWaitDuring(good, bad.write(flood()));
    expect(longestMs).toBeLessThan(2_000);
    bad.socket.resume();
    // Whatever was kept for it comes before the answer to this.
    await bad.write(frame(request(1, "ping")));
    await expect.poll(() => bad.counts.get(Opcode.text), { timeout: 20_000 }).toBe(1);
    // What the system's buffers took, and no more.
    expect(bad.counts.get(Opcode.pong)).toBeLessThan(PINGS / 2);
    bad.socket.destroy();
  });

  it("is answered to one that reads", async () => {
    await using scene = await Scene.open();
    const bad = await RawAgent.open(await scene.serve());
    await bad.write(frame("are you there", { opcode: Opcode.ping }));
    await expect.poll(() => bad.counts.get(Opcode.pong)).toBe(1);
    bad.socket.destroy();
  });
});
