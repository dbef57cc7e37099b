import { once } from "node:events";
import { chown, readFile, stat, writeFile } from "node:fs/promises";
import { createConnection, createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { run, start } from "../command.js";
import { agentAt, expectProposal, locks, openDiff, places, readyOf, relaying } from "./places.js";

describe("lockstep relay listen", () => {
  it("is a socket that only its user can open, and goes with the relay", async () => {
    const between = await places();
    const socket = join(between.scene.home, "s");
    const { child, ended } = await relaying(between, ["listen", socket, "--map", between.map]);
    expect((await stat(socket)).mode & 0o777).toBe(0o600);
    const taken = await run(between.scene.home, ["relay", "listen", socket], between.scene.folder);
    expect(taken).toMatchObject({ code: 1, stdout: "" });
    expect(taken.stderr).toContain("Another relay listens");
    child.kill("SIGTERM");
    await ended;
    await expect(stat(socket)).rejects.toThrow("ENOENT");
    const none = await run(between.far.home, ["relay", "join", socket]);
    expect(none).toMatchObject({ code: 1 });
    expect(none.stderr).toContain("nobody listens there");
  });

  it("takes the place of a socket that a crash left, and of nothing else", async () => {
    const between = await places();
    const socket = join(between.scene.home, "s");
    const crashed = await relaying(between, ["listen", socket]);
    crashed.child.kill("SIGKILL");
    await crashed.ended;
    await stat(socket);
    await relaying(between, ["listen", socket]);
    const file = join(between.scene.home, "file");
    await writeFile(file, "mine");
    for (const [path, sentence] of [
      [file, "no socket of yours"],
      [join(between.scene.home, "x".repeat(120)), "too long for a socket"],
      [join(between.scene.home, "no", "s"), "its folder is missing"],
    ] as const) {
      const ran = await run(between.scene.home, ["relay", "listen", path], between.scene.folder);
      expect(ran).toMatchObject({ code: 1, stdout: "" });
      expect(ran.stderr).toContain(sentence);
    }
    expect(await readFile(file, "utf8")).toBe("mine");
  });

  const root = process.getuid?.() === 0;
  it.runIf(root || process.env.CI)("is not joined where another user listens", async () => {
    const between = await places();
    const socket = join(between.scene.home, "s");
    const stranger = createServer((connection) => heard.push(connection.remoteAddress));
    const heard: unknown[] = [];
    stranger.listen(socket);
    await once(stranger, "listening");
    onTestFinished(() => void stranger.close());
    await chown(socket, 65534, 65534);
    const ran = await run(between.far.home, ["relay", "join", socket]);
    expect(ran).toMatchObject({ code: 1, stdout: "" });
    expect(ran.stderr).toContain("it belongs to another user");
    expect(heard).toEqual([]);
  });

  it("goes on after somebody who does not speak as relays do", async () => {
    const between = await places();
    const socket = join(between.scene.home, "s");
    await relaying(between, ["listen", socket, "--map", between.map]);
    const noise = [
      "GET / HTTP/1.1\r\n\r\n".repeat(5000),
      `lockstep-relay 1\n${"\u00ff".repeat(100)}`,
      "lockstep-relay 1\n\u0000\u0000\u0000\u0004\u0000\u0000\u0000\u0000\u0000null",
    ];
    for (const text of noise) {
      const stranger = createConnection(socket);
      await once(stranger, "connect");
      stranger.on("error", () => {});
      stranger.resume();
      stranger.end(text, "latin1");
      await once(stranger, "close");
    }
    const joined = start(between.far.home, ["relay", "join", socket, "--json"]);
    const { ready } = await readyOf(joined);
    await expectProposal(between, openDiff(await agentAt(between, ready)));
  });

  it("is over when the wire says nothing any more, as one that is cut far away", async () => {
    const between = await places();
    const socket = join(between.scene.home, "s");
    const near = await relaying(between, ["listen", socket, "--map", between.map]);
    const far = await readyOf(start(between.far.home, ["relay", "join", socket, "--json"]));
    near.child.kill("SIGSTOP");
    try {
      expect((await far.ended)[0]).toBe(1);
      expect(far.said()).toContain("The other end has gone silent");
      expect(await locks(between.far.home)).toEqual([]);
    } finally {
      near.child.kill("SIGCONT");
    }
  });

  it("ends the other end with it", async () => {
    const between = await places();
    const socket = join(between.scene.home, "s");
    const near = await relaying(between, ["listen", socket, "--map", between.map]);
    const joined = start(between.far.home, ["relay", "join", socket, "--json"]);
    const far = await readyOf(joined);
    near.child.kill("SIGKILL");
    expect((await far.ended)[0]).toBe(1);
    expect(far.said()).toContain("The relay has ended");
    expect(await locks(between.far.home)).toEqual([]);
  });
});
