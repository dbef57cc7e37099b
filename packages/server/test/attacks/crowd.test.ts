import { connect, type Socket } from "node:net";
import { describe, expect, it } from "vitest";
import type { LockstepServer } from "../../src/index.js";
import { UPGRADE } from "../raw-http.js";
import { Scene } from "../scene.js";
import { longestWaitDuring } from "./latency.js";

/** A crowd of connections, none of which has the token. */
class Crowd {
  readonly #port: number;
  readonly #open = new Set<Socket>();

  constructor(server: LockstepServer) {
    this.#port = server.port;
  }

  get size(): number {
    return this.#open.size;
  }

  /** Resolves when it is connected, or was turned away at once. */
  join(says: string): Promise<void> {
    return new Promise((resolve) => {
      const socket = connect({ port: this.#port, host: "127.0.0.1" });
      socket.on("error", () => {});
      socket.once("connect", () => {
        this.#open.add(socket);
        socket.write(says);
        resolve();
      });
      socket.once("close", () => {
        this.#open.delete(socket);
        resolve();
      });
      socket.resume();
    });
  }
}

const sayings = (port: number) => {
  const host = `Host: 127.0.0.1:${port}`;
  const whole = ["GET / HTTP/1.1", host, ...UPGRADE].join("\r\n");
  return ["", "GET / HT", whole, `${whole}\r\nX-Claude-Code-Ide-Authorization: no\r\n\r\n`];
};

describe("ten thousand connections without the token", () => {
  it("are bounded in number and in time, while agents are served and let in", async () => {
    await using scene = await Scene.open();
    const server = await scene.serve();
    const agent = await scene.agent(server);
    const crowd = new Crowd(server);
    const says = sayings(server.port);
    // A connection that the system makes wait holds up one of a hundred queues, not all.
    const queues = Array.from({ length: 100 }, async (_, at) => {
      for (let turn = 0; turn < 100; turn++) await crowd.join(says[(at + turn) % 4] ?? "");
    });
    const storm = Promise.all(queues);
    const newcomers = Promise.all([scene.agent(server), scene.agent(server), scene.agent(server)]);
    const { longestMs } = await longestWaitDuring(agent, storm);
    await newcomers;
    expect(longestMs).toBeLessThan(2_000);
    // Once the server has taken all that the system had kept for it, only so many are left.
    await expect.poll(() => crowd.size, { timeout: 4_500 }).toBeLessThanOrEqual(512);
    // Nobody is let wait for ever: five seconds to say who one is, looked after every second.
    const dripped = drip(server.port);
    await expect.poll(() => crowd.size, { timeout: 10_000 }).toBe(0);
    expect(await dripped).toBeLessThan(10_000);
    expect((await agent.call("getWorkspaceFolders")).isError).toBe(false);
    expect(scene.problems).toEqual([]);
  });

  it("do not keep the server from stopping", async () => {
    await using scene = await Scene.open();
    const server = await scene.serve();
    const crowd = new Crowd(server);
    await Promise.all(sayings(server.port).flatMap((says) => [crowd.join(says), crowd.join(says)]));
    const began = performance.now();
    await server.stop();
    expect(performance.now() - began).toBeLessThan(2_000);
    await expect.poll(() => crowd.size).toBe(0);
  });
});

/** Sends a request one byte at a time; resolves to how long the server had patience. */
async function drip(port: number): Promise<number> {
  const socket = connect({ port, host: "127.0.0.1" });
  socket.on("error", () => {});
  socket.resume();
  const began = performance.now();
  socket.write("GET / HTTP/1.1\r\nHost: ");
  const drops = setInterval(() => socket.write("x"), 100);
  await new Promise((resolve) => socket.once("close", resolve));
  clearInterval(drops);
  return performance.now() - began;
}
