import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { rawRequest, UPGRADE } from "../raw-http.js";
import { Scene } from "../scene.js";
import { tokenOf } from "../wire-agent.js";
import { frame, noise, Opcode, RawAgent } from "./raw-agent.js";

describe("an agent that knocks while the server starts", () => {
  it("waits until the token is settled, and is let in", async () => {
    await using scene = await Scene.open();
    const first = await scene.serve();
    const lines = [
      `Host: 127.0.0.1:${first.port}`,
      `X-Claude-Code-Ide-Authorization: ${tokenOf(first)}`,
      ...UPGRADE,
    ];
    await first.stop();
    // As an agent does that lost its editor, only without a pause: it comes in as the port is bound.
    const knock = async (): Promise<number> => {
      for (let tries = 0; tries < 10_000; tries++) {
        const reply = await rawRequest(first.port, lines).catch(() => null);
        if (reply) return reply.status;
      }
      throw new Error("Nobody came to the door");
    };
    const knocks = Promise.all([knock(), knock(), knock()]);
    const second = await scene.serve();
    expect(second.port).toBe(first.port);
    expect(await knocks).toEqual([101, 101, 101]);
  });
});

describe("a stranger who is told by close code 1008", () => {
  it("cannot end the process by what it sends instead of a close", async () => {
    await using scene = await Scene.open();
    const server = await scene.serve({ badToken: "1008" });
    const good = await scene.agent(server);
    const messages = [noise(100), frame("x", { masked: false }), frame("x", { reserved: 7 })];
    for (const message of messages) {
      const stranger = await RawAgent.open(server, "wrong");
      await stranger.write(message);
      expect(await stranger.closed).toBe(1008);
    }
    expect((await good.call("getWorkspaceFolders")).isError).toBe(false);
  });

  it("is not listened to: a message ends the connection before it has come", async () => {
    await using scene = await Scene.open();
    const server = await scene.serve({ badToken: "1008" });
    const stranger = await RawAgent.open(server, "wrong");
    const began = performance.now();
    await stranger.write(frame("", { length: 50_000_000n }));
    expect(await stranger.closed).toBe(1008);
    // Sooner than one who says nothing at all, who has a second to go.
    expect(performance.now() - began).toBeLessThan(900);
    expect([...stranger.counts]).toEqual([[Opcode.close, 1]]);
  });

  it("does not hold the connection, nor the server that stops", async () => {
    await using scene = await Scene.open();
    const server = await scene.serve({ badToken: "1008" });
    const silent = await RawAgent.open(server, "wrong");
    const began = performance.now();
    expect(await silent.closed).toBe(1008);
    const another = await RawAgent.open(server, "wrong");
    await server.stop();
    await another.closed;
    expect(performance.now() - began).toBeLessThan(5_000);
  });
});

describe("requests that are no WebSocket's", () => {
  const ask = async (port: number, text: string) => {
    const socket = connect({ port, host: "127.0.0.1" });
    let reply = "";
    socket.on("data", (chunk) => (reply += chunk));
    socket.on("error", () => {});
    socket.write(text);
    await once(socket, "close");
    return reply.split("\r\n")[0];
  };

  it("get an error of HTTP, and the connection is closed", async () => {
    await using scene = await Scene.open();
    const { port } = await scene.serve();
    const host = `Host: 127.0.0.1:${port}`;
    expect(await ask(port, "\u0000\u0001\u0002\r\n\r\n")).toContain("400");
    expect(await ask(port, `GET / HTTP/1.1\r\n${host}\r\nX: ${"x".repeat(20_000)}`)).toContain(
      "431",
    );
    const body = `POST / HTTP/1.1\r\n${host}\r\nContent-Length: 1000000000\r\n\r\nx`;
    expect(await ask(port, body)).toContain("426");
    const twice = `GET / HTTP/1.1\r\n${host}\r\n\r\n`.repeat(2);
    expect(await ask(port, twice)).toContain("426");
    expect(await ask(port, `CONNECT a:1 HTTP/1.1\r\n${host}\r\n\r\n`)).not.toContain("200");
  });
});

it("the token is compared in constant time, whatever its length", async () => {
  // Timing cannot be measured dependably here, so the line itself is what is held fast.
  const source = await readFile(
    new URL("../../src/faces/claude/admission.ts", import.meta.url),
    "utf8",
  );
  expect(source).toContain("timingSafeEqual(digest(given), digest(expected))");
  expect(source).not.toMatch(/[!=]==? (rules\.)?token/);
});
