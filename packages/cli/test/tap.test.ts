import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, stat } from "node:fs/promises";
import { createConnection } from "node:net";
import { join } from "node:path";
import { connect, readLock } from "@lockstep/client";
import { describe, expect, it } from "vitest";
import { rawRequest, UPGRADE } from "../../server/test/raw-http.js";
import { LOCKSTEP, PATIENCE, serveJson, start } from "./command.js";
import { project } from "./project.js";
import { RawIde } from "./raw-ide.js";
import { agentAt, heard, tapped } from "./tapped.js";

describe("lockstep tap", () => {
  it("announces itself beside the editor without competing, to nobody but this user", async () => {
    const { home, folder } = await project();
    const ide = await RawIde.start({ home, folder, name: "Kale" });
    const { lock, lockFile, port, token, tap } = await tapped(home, folder);
    expect(lock).toMatchObject({
      pid: tap.ready.pid,
      ideName: "Kale",
      workspaceFolders: [],
      transport: "ws",
    });
    expect(token).not.toBe(ide.token);
    expect((await stat(lockFile)).mode & 0o777).toBe(0o600);
    const host = `Host: 127.0.0.1:${port}`;
    const auth = `X-Claude-Code-Ide-Authorization: ${token}`;
    const status = async (...lines: string[]) => (await rawRequest(port, lines)).status;
    expect(await status(host, ...UPGRADE)).toBe(401);
    expect(await status(host, ...UPGRADE, `${auth}x`)).toBe(401);
    expect(await status(host, ...UPGRADE, auth, "Origin: https://evil.example")).toBe(403);
    expect(await status(`Host: evil.test:${port}`, ...UPGRADE, auth)).toBe(403);
    expect(await status(host)).toBe(426);
    expect(ide.upgrades).toEqual([]);
    expect(await status(host, ...UPGRADE, auth)).toBe(101);
    expect(await tap.stop("SIGINT")).toBe(0);
    await expect(stat(lockFile)).rejects.toThrow("ENOENT");
    expect(await readdir(join(home, ".claude", "ide"))).toEqual([`${ide.port}.lock`]);
  });

  it("passes every frame as it is, both ways, and its end; and writes all of it down", async () => {
    const { home, folder } = await project();
    const ide = await RawIde.start({ home, folder });
    const { agent, entries, file } = await tapped(home, folder);
    const client = await agent();
    const server = await ide.agent();
    expect(client.protocol).toBe("mcp");
    expect(ide.upgrades[0]?.headers["x-claude-code-ide-authorization"]).toBe(ide.token);

    const odd = '{"a":  1.0, "b":"\\u00e9 é 𝄞 \\u0000"}';
    client.send(odd);
    expect(await heard(server)).toBe(odd);
    server.send(`[${odd}]`);
    expect(await heard(client)).toBe(`[${odd}]`);
    const bytes = Buffer.from([0, 255, 128, 10]);
    client.send(bytes);
    const [data, isBinary] = await once(server, "message");
    expect([data, isBinary]).toEqual([bytes, true]);
    server.ping("are you there");
    expect(String((await once(client, "ping"))[0])).toBe("are you there");
    client.pong("I am");
    expect(String((await once(server, "pong"))[0])).toBe("I am");
    server.close(4321, "good night");
    const [code, reason] = await once(client, "close");
    expect([code, String(reason)]).toEqual([4321, "good night"]);

    await expect
      .poll(async () => (await entries()).map(({ from, kind }) => `${from} ${kind}`), PATIENCE)
      .toEqual([
        "agent open",
        "ide open",
        "agent text",
        "ide text",
        "agent binary",
        "ide ping",
        "agent pong",
        "ide close",
        "agent close",
      ]);
    const [open, , text, , binary, , , close] = await entries();
    expect(open).toMatchObject({ connection: 1, subprotocol: "mcp" });
    expect(text).toMatchObject({ text: odd, time: expect.stringMatching(/^\d{4}-.*Z$/) });
    expect(binary).toMatchObject({ base64: bytes.toString("base64") });
    expect(close).toMatchObject({ code: 4321, reason: "good night" });
    const times = (await entries()).map(({ at }) => at);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it("selects what the editor selects, be it nothing", async () => {
    const { home, folder } = await project();
    await RawIde.start({ home, folder, selects: false });
    const { port, token } = await tapped(home, folder);
    const { status, head } = await rawRequest(port, [
      `Host: 127.0.0.1:${port}`,
      ...UPGRADE,
      `X-Claude-Code-Ide-Authorization: ${token}`,
      "Sec-WebSocket-Protocol: mcp",
    ]);
    expect(status).toBe(101);
    expect(head.toLowerCase()).not.toContain("sec-websocket-protocol");
  });

  it("writes no token down, wherever it appears, and no path if it is to be portable", async () => {
    const { home, folder } = await project();
    const ide = await RawIde.start({ home, folder, token: "a/secret+token=" });
    const { agent, token, recorded, entries } = await tapped(home, folder, "--portable");
    const client = await agent();
    const server = await ide.agent();
    const both = JSON.stringify({ theirs: ide.token, ours: token, path: `${folder}/a.ts` });
    client.send(both);
    expect(await heard(server)).toBe(both);
    const careful = both.replaceAll("/", "\\/");
    server.send(careful);
    expect(await heard(client)).toBe(careful);
    client.send(Buffer.from(ide.token));
    await once(server, "message");
    client.close(1000, token);
    await once(server, "close");
    await expect.poll(async () => (await entries()).length, PATIENCE).toBe(7);
    const text = await recorded();
    for (const secret of [ide.token, token, folder, home]) {
      expect(text).not.toContain(secret);
      expect(text.replaceAll("\\", "")).not.toContain(secret);
    }
    for (const entry of await entries())
      if ("base64" in entry) expect(atob(entry.base64)).not.toContain(ide.token);
    expect(text).toContain('\\"path\\":\\"$WORKSPACE/a.ts\\"');
  });

  it("lets nobody pile up what the other does not read", PATIENCE, async () => {
    const { home, folder } = await project();
    const ide = await RawIde.start({ home, folder });
    const { agent } = await tapped(home, folder);
    const client = await agent();
    const server = await ide.agent();
    client.pause();
    const count = 100;
    const padding = "x".repeat(1024 * 1024);
    for (let number = 0; number < count; number++) server.send(`${number} ${padding}`);
    // In the time that another agent needs to exchange as much, the tap would have read all of it.
    const other = await agent();
    const otherServer = await ide.agent(1);
    otherServer.on("message", (data) => otherServer.send(data));
    for (let number = 0; number < count / 2; number++) {
      other.send(padding);
      await once(other, "message");
    }
    // What the tap and the system hold is a few of them; the rest waits at its sender.
    expect(server.bufferedAmount).toBeGreaterThan(60 * padding.length);

    const numbers: number[] = [];
    const all = new Promise<void>((resolve) => {
      client.on("message", (data) => {
        numbers.push(Number.parseInt(String(data), 10));
        if (numbers.length === count) resolve();
      });
    });
    client.resume();
    await all;
    expect(numbers).toEqual(Array.from({ length: count }, (_, number) => number));
  });

  it("carries an openDiff of 10 MB and its answer", PATIENCE, async () => {
    const { home, folder } = await project();
    await using _server = await serveJson(home, [folder, "--decide", "accept"]);
    const { lockFile, port, entries } = await tapped(home, folder);
    const ide = await readLock(lockFile, port);
    if (!ide) throw new Error("the tap has no lock file");
    const connection = await connect(ide);
    const text = "a line of text\n".repeat(700_000);
    const answer = await connection.tools.openDiff({
      old_file_path: join(folder, "a.ts"),
      new_file_contents: text,
      tab_name: "large",
    });
    await connection.close();
    expect(answer).toEqual({ kind: "saved", text });
    await expect
      .poll(
        async () => (await entries()).filter((one) => "text" in one && one.text.length > 1e7),
        PATIENCE,
      )
      .toHaveLength(2);
  });

  it("finds an editor again that died in the middle, on another port with another token", async () => {
    const { home, folder } = await project();
    const first = await RawIde.start({ home, folder });
    const { agent, entries, recorded } = await tapped(home, folder);
    const client = await agent();
    await first.agent();
    const [[code]] = await Promise.all([once(client, "close"), first.crash()]);
    expect(code).toBe(1006);

    // The agent waits at the door until the editor is back.
    const returning = agent();
    const second = await RawIde.start({ home, folder });
    const again = await returning;
    const server = await second.agent();
    again.send(`hello again, ${second.token}`);
    expect(await heard(server)).toBe(`hello again, ${second.token}`);
    await expect
      .poll(async () => (await entries()).at(-1), PATIENCE)
      .toMatchObject({ connection: 2, text: "hello again, [token]" });
    expect(await recorded()).not.toContain(second.token);
  });

  it("outlives an agent that dies, and lets the next one in", async () => {
    const { home, folder } = await project();
    const ide = await RawIde.start({ home, folder });
    const { agent } = await tapped(home, folder);
    const client = await agent();
    const server = await ide.agent();
    client.terminate();
    expect((await once(server, "close"))[0]).toBe(1006);
    const next = await agent();
    next.send("next");
    expect(await heard(await ide.agent(1))).toBe("next");
  });

  it("leaves no connection behind for an agent that goes away at the door", async () => {
    const { home, folder } = await project();
    const first = await RawIde.start({ home, folder });
    const { port, token, agent } = await tapped(home, folder);
    await first.crash();
    const auth = `X-Claude-Code-Ide-Authorization: ${token}`;
    const impatient = createConnection({ port, host: "127.0.0.1" });
    const lines = ["GET / HTTP/1.1", `Host: 127.0.0.1:${port}`, ...UPGRADE, auth];
    impatient.write(`${lines.join("\r\n")}\r\n\r\n`, () => impatient.destroy());
    await once(impatient, "close");
    const second = await RawIde.start({ home, folder });
    const client = await agent();
    client.send("in");
    expect(await heard(await second.agent())).toBe("in");
    expect(second.upgrades).toHaveLength(1);
  });

  it("goes on without recording where the disk is full, and says so at its end", async () => {
    const { home, folder } = await project();
    const ide = await RawIde.start({ home, folder });
    const file = join(home, "r.jsonl");
    // A file of more than four kilobytes cannot be written.
    const line = `trap '' XFSZ; ulimit -f 4; exec "$@"`;
    const tap = [process.execPath, LOCKSTEP, "tap", "--print", "--json", "--out", file];
    const child = spawn("bash", ["-c", line, "bash", ...tap], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: home },
    });
    let stderr = "";
    child.stderr.on("data", (chunk) => (stderr += chunk));
    const [ready] = await once(child.stdout, "data");
    const { port, lockFile } = JSON.parse(ready);
    const { authToken } = JSON.parse(await readFile(lockFile, "utf8"));
    const client = await agentAt(port, authToken, ["mcp"]);
    const server = await ide.agent();
    for (const text of ["x".repeat(100_000), "still here"]) {
      client.send(text);
      expect(await heard(server)).toBe(text);
    }
    child.kill("SIGINT");
    expect((await once(child, "close"))[0]).toBe(0);
    expect(stderr).toContain("The recording is not whole: EFBIG");
  });

  it("ends with a sentence when the editor does not let it in", async () => {
    const { home, folder } = await project();
    await RawIde.start({ home, folder, refuse: 401 });
    const child = start(home, ["tap", "--print", "--json"], folder);
    let stderr = "";
    child.stderr?.on("data", (chunk) => (stderr += chunk));
    const [line] = await once(child.stdout as NodeJS.ReadableStream, "data");
    const { port, lockFile } = JSON.parse(line);
    const { authToken } = JSON.parse(await readFile(lockFile, "utf8"));
    const auth = `X-Claude-Code-Ide-Authorization: ${authToken}`;
    const reply = await rawRequest(port, [`Host: 127.0.0.1:${port}`, ...UPGRADE, auth]);
    expect(reply.status).toBe(502);
    expect(reply.body).toContain("does not accept its own lock file's token");
    const [code] = await once(child, "close");
    expect(code).toBe(1);
    expect(stderr).toContain("lockstep: The editor does not accept its own lock file's token.");
  });
});
