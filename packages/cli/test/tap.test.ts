import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { createConnection } from "node:net";
import { join } from "node:path";
import { connect, readLock } from "@lockstep/client";
import { describe, expect, it } from "vitest";
import { rawRequest, UPGRADE } from "../../server/test/raw-http.js";
import { LOCKSTEP, PATIENCE, run, serveJson, start } from "./command.js";
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

describe("lockstep tap -- command", () => {
  const SHOW = "console.log(JSON.stringify(process.env)); process.exit(7)";

  it("runs it with the tap's port, and ends with its exit code and without a lock file", async () => {
    const { home, folder } = await project();
    const ide = await RawIde.start({ home, folder });
    const args = ["tap", "--quiet", "--", process.execPath, "-e", SHOW];
    const contrary = { CLAUDE_CODE_AUTO_CONNECT_IDE: "false", CLAUDE_CODE_SSE_PORT: "1" };
    const { code, stdout, stderr } = await run(home, args, folder, contrary);
    expect([code, stderr]).toEqual([7, ""]);
    const env = JSON.parse(stdout);
    expect(Number(env.CLAUDE_CODE_SSE_PORT)).toBeGreaterThan(1);
    expect(env.CLAUDE_CODE_SSE_PORT).not.toBe(String(ide.port));
    expect(env.CLAUDE_CODE_AUTO_CONNECT_IDE).toBeUndefined();
    expect(stdout).not.toContain(ide.token);
    expect(await readdir(join(home, ".claude", "ide"))).toEqual([`${ide.port}.lock`]);
  });

  it("passes signals on to it", async () => {
    const { home, folder } = await project();
    await RawIde.start({ home, folder });
    const wait =
      "process.on('SIGTERM', () => process.exit(5)); console.log('up'); setInterval(() => {}, 1e9)";
    const child = start(home, ["tap", "--", process.execPath, "-e", wait], folder);
    await once(child.stdout as NodeJS.ReadableStream, "data");
    child.kill("SIGTERM");
    expect((await once(child, "close"))[0]).toBe(5);
  });

  it("says what it did, where the recording is, and how to look at it", async () => {
    const { home, folder } = await project();
    await using _server = await serveJson(home, [folder]);
    const file = join(home, "r.jsonl");
    const call = [process.execPath, LOCKSTEP, "call", "getWorkspaceFolders"];
    const { stdout, stderr } = await run(home, ["tap", "--out", file, "--", ...call], folder);
    expect(JSON.parse(stdout)).toMatchObject({ success: true });
    expect(stderr).toMatch(
      /^Recording Lockstep on port \d+ in .*r\.jsonl\nRecorded 6 frames in .*\nLook at them: lockstep tap --view /,
    );
  });

  it("keeps a file that is there, and follows no link", async () => {
    const { home, folder } = await project();
    await RawIde.start({ home, folder });
    const file = join(home, "mine.txt");
    await writeFile(file, "mine");
    await symlink(join(home, "elsewhere"), join(home, "link"));
    for (const out of [file, join(home, "link")]) {
      const { code, stderr } = await run(home, ["tap", "--out", out, "--", "true"], folder);
      expect(code).toBe(2);
      expect(stderr).toContain("is there already");
    }
    expect(await readFile(file, "utf8")).toBe("mine");
  });

  it("prints the line to type where there is no terminal and no command", async () => {
    const { home, folder } = await project();
    await RawIde.start({ home, folder });
    const child = start(home, ["tap"], folder);
    const [line] = await once(child.stdout as NodeJS.ReadableStream, "data");
    expect(String(line)).toMatch(/^CLAUDE_CODE_SSE_PORT=\d+ ENABLE_IDE_INTEGRATION=true claude\n$/);
    child.kill("SIGINT");
    expect((await once(child, "close"))[0]).toBe(0);
  });

  it("says so when there is no editor", async () => {
    const { home, folder } = await project();
    const { code, stderr } = await run(home, ["tap", "--", "true"], folder);
    expect(code).toBe(1);
    expect(stderr).toContain("No running editor has");
  });
});

describe("lockstep tap --view", () => {
  const heading = { lockstep: "recording", version: 1, startedAt: "", ide: { name: "x" } };
  const moment = { at: 1, time: "", connection: 1, from: "agent" };

  async function written(...lines: readonly unknown[]) {
    const { home, folder } = await project();
    const file = join(folder, "r.jsonl");
    const text = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line)));
    await writeFile(file, text.join("\n"));
    return { home, folder, file };
  }

  it("writes one page that runs nothing of what was recorded", async () => {
    const evil = `</script><img src=x onerror=alert(1)><!--<script>\u2028${"\u001b"}[2J`;
    const { home, folder, file } = await written(
      { ...heading, ide: { name: evil, folders: [evil] }, command: [evil] },
      { ...moment, kind: "text", text: evil },
      { ...moment, kind: "text", text: JSON.stringify({ id: 1, method: evil, params: evil }) },
      { ...moment, kind: "close", code: 1000, reason: evil },
    );
    const out = join(folder, "page.html");
    const { code, stdout } = await run(home, ["tap", "--view", file, "--out", out], folder);
    expect([code, stdout]).toEqual([0, `${out}\n`]);
    expect((await stat(out)).mode & 0o777).toBe(0o600);
    const html = await readFile(out, "utf8");
    expect(html).not.toContain("<img");
    expect(html).not.toContain("<!--");
    expect(html.match(/<script/g)).toHaveLength(2);
    expect(html).toMatch(
      /Content-Security-Policy" content="default-src 'none'; script-src 'sha256-/,
    );
    expect(html).not.toContain("unsafe-");
    expect((await run(home, ["tap", "--view", file, "--out", out], folder)).code).toBe(2);
  });

  it("gives it out once, at an address that cannot be guessed", async () => {
    const { home, folder, file } = await written(heading, { ...moment, kind: "text", text: "{}" });
    const child = start(home, ["tap", "--view", file, "--no-open"], folder);
    const [line] = await once(child.stdout as NodeJS.ReadableStream, "data");
    const url = new URL(String(line).trim());
    expect(url.hostname).toBe("127.0.0.1");
    expect(url.pathname.length).toBeGreaterThan(40);
    expect((await fetch(new URL("/", url))).status).toBe(404);
    expect((await fetch(url, { method: "POST" })).status).toBe(405);
    const bent = await rawRequest(Number(url.port), ["Host: evil.test"], { path: url.pathname });
    expect(bent.status).toBe(403);
    const page = await fetch(url);
    expect(await page.text()).toContain("<title>Recording");
    expect(page.headers.get("x-frame-options")).toBe("DENY");
    expect((await once(child, "close"))[0]).toBe(0);
  });

  it("says what is wrong with a file that is no recording", async () => {
    const long = { ...moment, kind: "text", text: "x".repeat(3_000_000) };
    const cases: readonly [readonly unknown[], RegExp][] = [
      [[""], /the file is empty/],
      [["\u001b[2Jnot json", ""], /line 1: this is not JSON/],
      [[{ lockstep: "other" }], /begins with a line about itself/],
      [[heading, "{", heading], /line 2: this is not JSON/],
      [[heading, { ...moment, kind: "nonsense" }], /line 2: this is not an entry/],
      [[heading, { ...moment, at: -1, kind: "text", text: "" }], /line 2: this is not an entry/],
      [[heading, long, "null", ""], /line 3: this is not an entry/],
    ];
    for (const [lines, sentence] of cases) {
      const { home, folder, file } = await written(...lines);
      const { code, stderr } = await run(home, ["tap", "--view", file, "--out", "x"], folder);
      expect(stderr).toMatch(sentence);
      expect([code, stderr.includes("\u001b")]).toEqual([1, false]);
    }
    const { home, folder } = await project();
    const missing = await run(home, ["tap", "--view", "no.jsonl"], folder);
    expect([missing.code, missing.stderr]).toEqual([2, "lockstep: There is no file no.jsonl\n"]);
    expect((await run(home, ["tap", "--view", "."], folder)).stderr).toContain("ordinary file");
  });

  it("shows what there is of a recording that was cut off, and the beginning of huge frames", async () => {
    const deep = "[".repeat(100_000) + "]".repeat(100_000);
    const { home, folder, file } = await written(
      heading,
      { ...moment, kind: "text", text: `{"method":"${"x".repeat(3_000_000)}"}` },
      { ...moment, kind: "text", text: `{"id":1,"method":"m","params":${deep}}` },
      '{"at":2,"ti',
    );
    const out = join(folder, "page.html");
    expect((await run(home, ["tap", "--view", file, "--out", out], folder)).code).toBe(0);
    const html = await readFile(out, "utf8");
    expect(html.length).toBeLessThan(1_500_000);
    expect(html).toContain('"torn":true');
  });
});
