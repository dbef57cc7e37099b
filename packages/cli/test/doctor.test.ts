import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmod,
  mkdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, it, onTestFinished } from "vitest";
import { WebSocketServer } from "ws";
import { LOCKSTEP, run, serveJson, start } from "./command.js";
import { project } from "./project.js";
import { RawIde } from "./raw-ide.js";

interface Told {
  readonly connects: { port: number; byItself: boolean } | null;
  readonly editors: readonly { port: number; taken: boolean; passedOver: string | null }[];
  readonly findings: readonly { code: string; level: string; what: string; fixable: boolean }[];
  readonly fixed: readonly string[];
}

/** What the doctor says to a script. */
async function doctor(
  home: string,
  cwd: string,
  { args = [], env = {} }: { args?: readonly string[]; env?: NodeJS.ProcessEnv } = {},
): Promise<Told & { code: number }> {
  const { code, stdout, stderr } = await run(home, ["doctor", "--json", ...args], cwd, env);
  expect(stderr).toBe("");
  return { ...JSON.parse(stdout), code };
}

const codes = ({ findings }: Told) => findings.map(({ code }) => code);

/** A lock file as an editor's plugin might have written it. */
async function writeLock(
  home: string,
  port: number,
  fields: object | string,
  mode = 0o600,
): Promise<string> {
  const path = join(home, ".claude", "ide", `${port}.lock`);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFile(path, typeof fields === "string" ? fields : JSON.stringify(fields), { mode });
  await chmod(path, mode);
  return path;
}

/** The number of a process that has ended. */
async function deadPid(): Promise<number> {
  const child = spawn("true");
  await once(child, "close");
  return child.pid ?? 0;
}

const INTRODUCTION = {
  protocolVersion: "2025-03-26",
  capabilities: {},
  serverInfo: { name: "Careless", version: "1" },
};

/** An editor that lets in whoever comes, and listens wherever it can be reached. */
async function carelessEditor(host: string): Promise<number> {
  const server = createServer();
  const sockets = new WebSocketServer({ server });
  sockets.on("connection", (socket) => {
    socket.on("message", (data) => {
      const { id, method } = JSON.parse(String(data));
      const result = method === "initialize" ? INTRODUCTION : { tools: [] };
      if (id !== undefined) socket.send(JSON.stringify({ jsonrpc: "2.0", id, result }));
    });
  });
  server.listen(0, host);
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets.clients) socket.terminate();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

describe("lockstep doctor", () => {
  it("says which editor an agent connects to, with its tools and the time it takes", async () => {
    const { home, folder } = await project();
    await using server = await serveJson(home, [folder]);
    const { port } = server.ready;
    const told = await doctor(home, folder);
    expect(told).toMatchObject({ code: 0, connects: { port, byItself: false } });
    expect(codes(told)).toEqual(["not-looking"]);
    const text = (await run(home, ["doctor"], folder)).stdout;
    expect(text).toMatch(new RegExp(`connects to Lockstep on port ${port}, by claude --ide\\.`));
    expect(text).toMatch(/Lockstep 0\.1\.0, MCP 20\d\d-\d\d-\d\d, \d+ tools, \d+\.\d ms/);
    expect(text).not.toContain("\u001b");
    const { authToken } = JSON.parse(await readFile(server.ready.lockFile, "utf8"));
    expect(text + JSON.stringify(told)).not.toContain(authToken);
  });

  it("knows the terminals in which an agent connects by itself", async () => {
    const { home, folder } = await project();
    await using server = await serveJson(home, [folder]);
    const { port } = server.ready;
    for (const env of [
      { CLAUDE_CODE_SSE_PORT: String(port) },
      { CLAUDE_CODE_AUTO_CONNECT_IDE: "true" },
    ]) {
      const told = await doctor(home, folder, { env });
      expect(told.connects).toMatchObject({ port, byItself: true });
      expect(codes(told)).toEqual([]);
    }
    await writeFile(join(home, ".claude.json"), '{"autoConnectIde":true}');
    expect((await doctor(home, folder)).connects).toMatchObject({ port, byItself: true });
    const off = { CLAUDE_CODE_AUTO_CONNECT_IDE: "false", CLAUDE_CODE_SSE_PORT: String(port) };
    const told = await doctor(home, folder, { env: off });
    expect(told).toMatchObject({ code: 1, connects: null });
    expect(codes(told)).toEqual(["auto-connect-off"]);
  });

  it("finds nobody, and says how to start one", async () => {
    const { home, folder } = await project();
    const told = await doctor(home, folder);
    expect(told).toMatchObject({ code: 1, connects: null });
    expect(codes(told)).toContain("no-editor");
  });

  it("removes what a dead editor left behind, and nothing else", async () => {
    const { home, folder } = await project();
    await using server = await serveJson(home, [folder]);
    const stale = await writeLock(home, 1, {
      pid: await deadPid(),
      workspaceFolders: [folder],
      transport: "ws",
      authToken: "secret",
      ideName: "Gone",
    });
    const told = await doctor(home, folder);
    expect(told.connects).toMatchObject({ port: server.ready.port });
    expect(told.findings).toContainEqual(
      expect.objectContaining({ code: "process-gone", fixable: true }),
    );
    await stat(stale);
    const fixed = await doctor(home, folder, { args: ["--fix"] });
    expect(fixed.fixed).toEqual([`Removed ${stale}, which its editor left behind.`]);
    expect(codes(fixed)).toEqual(["not-looking"]);
    await expect(stat(stale)).rejects.toThrow("ENOENT");
    await stat(server.ready.lockFile);
  });

  it("sees that nothing listens, though the editor's process lives, and deletes nothing", async () => {
    const { home, folder } = await project();
    const lock = await writeLock(home, 1, {
      pid: process.pid,
      workspaceFolders: [folder],
      transport: "ws",
      authToken: "secret",
      ideName: "Deaf",
    });
    const told = await doctor(home, folder, { args: ["--fix"] });
    expect(told).toMatchObject({ code: 1, connects: null, fixed: [] });
    expect(codes(told)).toContain("not-listening");
    await stat(lock);
  });

  it("finds that two editors match, so that the agent takes none", async () => {
    const { home, folder } = await project();
    await using one = await serveJson(home, [folder]);
    await using two = await serveJson(home, [home]);
    const told = await doctor(home, folder);
    expect(told).toMatchObject({ code: 1, connects: null });
    expect(codes(told)).toContain("several-match");
    const env = { CLAUDE_CODE_SSE_PORT: String(two.ready.port) };
    expect((await doctor(home, folder, { env })).connects).toMatchObject({ port: two.ready.port });
    // From above, only the other one matches.
    expect((await doctor(home, home)).connects).toMatchObject({ port: two.ready.port });
    expect(one.ready.port).not.toBe(two.ready.port);
  });

  describe("tells editors that nearly match from one another:", () => {
    it("a folder behind a link, below, a namesake, another worktree, another system's", async () => {
      const { home, folder } = await project();
      const port = await carelessEditor("127.0.0.1");
      const link = join(home, "link");
      await symlink(folder, link);
      const worktree = join(home, "worktree");
      await mkdir(worktree);
      await writeFile(join(worktree, ".git"), `gitdir: ${folder}/.git/worktrees/w\n`);
      const cases = [
        [link, folder, "linked-folder"],
        [folder, home, "below"],
        [folder, `${folder}-two`, "name-prefix"],
        [folder, worktree, "worktree"],
        ["C:\\Users\\ada\\project", folder, "foreign-path"],
        [`file://${folder}`, folder, "foreign-path"],
        ["/elsewhere", folder, "other-folder"],
      ] as const;
      for (const [open, cwd, code] of cases) {
        await mkdir(cwd, { recursive: true });
        await writeLock(home, port, {
          pid: process.pid,
          workspaceFolders: [open],
          transport: "ws",
          authToken: "secret",
          ideName: "Near",
        });
        const told = await doctor(home, cwd);
        expect(told.connects).toBeNull();
        expect(codes(told)).toContain(code);
      }
    });
  });

  it("finds an editor that announces itself where the agent does not look", async () => {
    const { home, folder } = await project();
    const configDir = join(home, "config");
    await using server = await serveJson(home, [folder, "--config-dir", configDir]);
    const told = await doctor(home, folder, { args: ["--config-dir", configDir] });
    expect(told.connects).toBeNull();
    expect(codes(told)).toContain("not-searched");
    const env = { CLAUDE_CONFIG_DIR: configDir };
    const there = await doctor(home, folder, { env });
    expect(there.connects).toMatchObject({ port: server.ready.port });
    // Another process of ours has the variable: that is enough to find the folder.
    await using other = await serveJson(home, [home]);
    const third = join(home, "third");
    await mkdir(third);
    const child = start(home, ["serve", third, "--json"], folder, env);
    await once(createInterface({ input: child.stdout as never }), "line");
    onTestFinished(async () => {
      child.kill();
      await once(child, "close");
    });
    const found = await doctor(home, folder);
    expect(found.editors.map(({ port }) => port)).toContain(server.ready.port);
    expect(found.connects).toMatchObject({ port: other.ready.port });
  });

  it("reads the environment as the agent does", async () => {
    const { home, folder } = await project();
    await using server = await serveJson(home, [folder]);
    const { port } = server.ready;
    const said = async (env: NodeJS.ProcessEnv) => codes(await doctor(home, folder, { env }));
    expect(await said({ CLAUDE_CODE_SSE_PORT: "1" })).toContain("sse-port-stale");
    expect(await said({ CLAUDE_CODE_SSE_PORT: "x" })).toContain("sse-port-invalid");
    expect(await said({ CLAUDE_CODE_IDE_HOST_OVERRIDE: "db" })).toContain("host-override");
    expect(await said({ HTTP_PROXY: "http://proxy" })).toContain("proxy");
    const spared = { HTTP_PROXY: "http://proxy", NO_PROXY: "localhost,127.0.0.1" };
    expect(await said(spared)).not.toContain("proxy");
    for (const env of [
      { TERM_PROGRAM: "vscode" },
      { TERMINAL_EMULATOR: "JetBrains-JediTerm" },
      { FORCE_CODE_TERMINAL: "1" },
    ]) {
      const told = await doctor(home, folder, { env });
      expect(told.connects).toBeNull();
      expect(codes(told)).toContain("foreign-terminal");
      const named = { ...env, CLAUDE_CODE_SSE_PORT: String(port) };
      expect((await doctor(home, folder, { env: named })).connects).toMatchObject({ port });
    }
  });

  it("warns of what strangers can do, and closes what is ours", async () => {
    const { home, folder } = await project();
    const port = await carelessEditor("0.0.0.0");
    const lock = await writeLock(
      home,
      port,
      { pid: process.pid, workspaceFolders: [folder], transport: "ws", ideName: "Careless" },
      0o644,
    );
    await chmod(dirname(lock), 0o777);
    const told = await doctor(home, folder);
    expect(told.connects).toMatchObject({ port });
    expect(codes(told)).toEqual(
      expect.arrayContaining([
        "readable-by-others",
        "folder-writable",
        "no-token",
        "no-origin-check",
        "all-interfaces",
      ]),
    );
    const fixed = await doctor(home, folder, { args: ["--fix"] });
    expect(fixed.fixed).toHaveLength(2);
    expect((await stat(lock)).mode & 0o777).toBe(0o600);
    expect((await stat(dirname(lock))).mode & 0o777).toBe(0o700);
    expect(codes(fixed)).not.toContain("readable-by-others");
  });

  it("notices that the token is not accepted, and that something else has the port", async () => {
    const { home, folder } = await project();
    await using server = await serveJson(home, [folder]);
    const lock = JSON.parse(await readFile(server.ready.lockFile, "utf8"));
    await writeLock(home, server.ready.port, { ...lock, authToken: "another" });
    const refused = await doctor(home, folder);
    expect(refused).toMatchObject({ code: 1, connects: null });
    expect(codes(refused)).toContain("token-refused");

    const mute = createServer((_request, response) => response.end("hello"));
    mute.listen(0, "127.0.0.1");
    await once(mute, "listening");
    onTestFinished(() => void mute.close());
    const { port } = mute.address() as AddressInfo;
    await rm(server.ready.lockFile);
    await writeLock(home, port, { ...lock, pid: process.pid });
    expect(codes(await doctor(home, folder))).toContain("no-handshake");
  });

  it("survives hostile lock files: reports each, trusts and deletes none", async () => {
    const { home, folder } = await project();
    await using server = await serveJson(home, [folder]);
    const ide = dirname(server.ready.lockFile);
    const spell = "\u001b]0;owned\u0007\u001b[2J";
    const live = { pid: process.pid, workspaceFolders: [folder], transport: "ws" };
    const huge = await writeLock(home, 2, "");
    await truncate(huge, 100 * 1024 * 1024);
    await writeLock(home, 3, "not json");
    await writeLock(home, 4, "[]");
    await writeLock(home, 5, { ...live, workspaceFolders: [1], authToken: {} });
    await writeLock(home, 6, { ...live, transport: "sse", authToken: "t" });
    await writeLock(home, 7, { ...live, ideName: `Evil${spell}`, authToken: "t" });
    await symlink("/etc/passwd", join(ide, "8.lock"));
    await writeFile(join(ide, "99999999.lock"), "{}", { mode: 0o600 });
    const fifo = spawn("mkfifo", [join(ide, "9.lock")]);
    await once(fifo, "close");
    const told = await doctor(home, folder, { args: ["--fix"] });
    expect(codes(told)).toEqual(
      expect.arrayContaining([
        "not-an-ordinary-file",
        "not-a-lock-file",
        "other-transport",
        "odd-name",
        "search-fails",
      ]),
    );
    expect(told.fixed).toEqual([]);
    expect((await run(home, ["doctor"], folder)).stdout).not.toContain("\u001b");
    await stat(huge);
  });

  it("says which lock file keeps the agent from all older ones", async () => {
    const { home, folder } = await project();
    await using server = await serveJson(home, [folder]);
    const live = { pid: process.pid, workspaceFolders: [folder], transport: "ws", authToken: "t" };
    const odd = await writeLock(home, 5, { ...live, workspaceFolders: [7], ideName: "Odd" });
    const later = new Date(Date.now() + 60_000);
    await utimes(odd, later, later);
    const told = await doctor(home, folder);
    expect(told).toMatchObject({ code: 1, connects: null });
    expect(told.findings).toContainEqual(
      expect.objectContaining({
        code: "search-fails",
        level: "fault",
        what: `Claude Code's search for editors ends at ${odd}: its workspaceFolders hold 7, which is no path.`,
      }),
    );
    const earlier = new Date(Date.now() - 3_600_000);
    await utimes(odd, earlier, earlier);
    expect((await doctor(home, folder)).connects).toMatchObject({ port: server.ready.port });
  });

  it("counts what is not called after a port, as the agent does", async () => {
    const { home, folder } = await project();
    await using server = await serveJson(home, [folder]);
    const odd = join(dirname(server.ready.lockFile), "editor.lock");
    await writeFile(odd, await readFile(server.ready.lockFile), { mode: 0o600 });
    const told = await doctor(home, folder);
    expect(told.connects).toBe(null);
    expect(codes(told)).toEqual(expect.arrayContaining(["odd-name", "several-match"]));
    expect((await run(home, ["doctor"], folder)).stdout).toContain("  editor.lock  Lockstep  ");
  });

  it("asks an editor whose lock file is oddly written with the token that the agent sends", async () => {
    const { home, folder } = await project();
    const ide = await RawIde.start({
      home,
      folder,
      token: "1234567",
      answers: { initialize: INTRODUCTION, "tools/list": { tools: [] } },
    });
    await writeLock(home, ide.port, {
      pid: process.pid,
      workspaceFolders: folder,
      transport: "ws",
      authToken: 1234567,
    });
    const told = await doctor(home, folder);
    expect(told.connects).toMatchObject({ port: ide.port });
    expect(codes(told)).toContain("not-a-lock-file");
    const sent = ide.upgrades.map(({ headers }) => headers["x-claude-code-ide-authorization"]);
    expect(sent).toContain("1234567");
    const { stdout, stderr } = await run(home, ["doctor", "--verbose"], folder);
    expect(stderr).toMatch(/^facts /);
    expect(stdout + stderr).not.toContain("1234567");
    await writeLock(home, 5, '{"authToken":"89abcde"}}');
    const torn = await run(home, ["doctor", "--verbose"], folder);
    expect(torn.stdout).toContain("it is not JSON");
    expect(torn.stdout + torn.stderr).not.toContain("89abcde");
  });

  it("follows a link as the agent does, and asks nothing of whoever is behind it", async () => {
    const { home, folder } = await project();
    const ide = await RawIde.start({ home, folder });
    await rename(ide.lockFile, join(home, "elsewhere"));
    await symlink(join(home, "elsewhere"), ide.lockFile);
    const told = await doctor(home, folder);
    expect(told.connects).toMatchObject({ port: ide.port });
    expect(codes(told)).toContain("not-an-ordinary-file");
    expect(ide.upgrades).toEqual([]);
    expect((await run(home, ["doctor"], folder)).stdout).toContain("not asked, so that it gets no");
  });

  it("looks for the port on the host that the agent is told", async () => {
    const { home, folder } = await project();
    const port = await carelessEditor("127.0.0.2");
    await writeLock(home, port, { pid: process.pid, workspaceFolders: [folder], transport: "ws" });
    expect((await doctor(home, folder)).connects).toBe(null);
    const there = { CLAUDE_CODE_IDE_HOST_OVERRIDE: "127.0.0.2" };
    const told = await doctor(home, folder, { env: there });
    expect(told.connects).toMatchObject({ port });
    expect(told.findings).toContainEqual(
      expect.objectContaining({ code: "host-override", level: "warning" }),
    );
  });

  it("says what an agent hangs up on that other clients put up with", async () => {
    const { home, folder } = await project();
    const answers = { initialize: INTRODUCTION, "tools/list": { tools: [] } };
    const unchosen = await RawIde.start({ home, folder, answers, selects: false });
    const first = await doctor(home, folder);
    expect(first.connects).toBe(null);
    expect(first.findings).toContainEqual(
      expect.objectContaining({ what: expect.stringContaining("the subprotocol mcp") }),
    );
    await unchosen.crash();
    const mute = { ...INTRODUCTION, serverInfo: undefined };
    await RawIde.start({ home, folder, answers: { ...answers, initialize: mute } });
    const second = await doctor(home, folder);
    expect(second.connects).toBe(null);
    expect(codes(second)).toContain("no-handshake");
  });

  const root = process.getuid?.() === 0;
  it.runIf(root || process.env.CI)("sees that another user's process has the port", async () => {
    const { home, folder } = await project();
    const script =
      'require("net").createServer().listen(0,"127.0.0.1",function(){console.log(this.address().port)})';
    const stranger = spawn(process.execPath, ["-e", script], { uid: 65534, cwd: "/" });
    onTestFinished(() => void stranger.kill());
    const [line] = await once(createInterface({ input: stranger.stdout }), "line");
    const lock = { pid: process.pid, workspaceFolders: [folder], transport: "ws", authToken: "t" };
    await writeLock(home, Number(line), lock);
    const told = await doctor(home, folder);
    expect(told.connects).toBeNull();
    expect(codes(told)).toContain("port-not-yours");
  });

  it.runIf(root || process.env.CI)(
    "is not misled by who has the port at another address",
    async () => {
      const { home, folder } = await project();
      await using server = await serveJson(home, [folder]);
      const { port } = server.ready;
      const script = `require("net").createServer().listen(${port},"127.0.0.2",()=>console.log("ready"))`;
      const stranger = spawn(process.execPath, ["-e", script], { uid: 65534, cwd: "/" });
      onTestFinished(() => void stranger.kill());
      await once(createInterface({ input: stranger.stdout }), "line");
      expect((await doctor(home, folder)).connects).toMatchObject({ port });
      const there = { CLAUDE_CODE_IDE_HOST_OVERRIDE: "127.0.0.2" };
      const told = await doctor(home, folder, { env: there });
      expect(told.connects).toBe(null);
      expect(codes(told)).toContain("port-not-yours");
    },
  );

  it.runIf(root || process.env.CI)("recognises an editor inside of a container", async () => {
    const { home, folder } = await project();
    const env = { PATH: process.env.PATH, HOME: home };
    // As its first processes have numbers that others have here, it starts at a high one.
    const inside = `echo 4000000 > /proc/sys/kernel/ns_last_pid; "$0" "$@" & wait`;
    const server = [process.execPath, LOCKSTEP, "serve", folder, "--json"];
    const unshare = ["--pid", "--fork", "--mount-proc", "--kill-child"];
    const box = spawn("unshare", [...unshare, "sh", "-c", inside, ...server], { env });
    onTestFinished(async () => {
      box.kill("SIGKILL");
      await once(box, "close");
    });
    const [line] = await once(createInterface({ input: box.stdout }), "line");
    const { pid, lockFile } = JSON.parse(line);
    expect(pid).toBeGreaterThan(4_000_000);
    const told = await doctor(home, folder, { args: ["--fix"] });
    expect(told).toMatchObject({ connects: null, fixed: [] });
    const finding = told.findings.find(({ code }) => code === "other-namespace");
    expect(finding?.what).toMatch(new RegExp(`names process ${pid}, .* inside a container`));
    await stat(lockFile);
  });
});
