import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chown,
  mkdir,
  readdir,
  readFile,
  readlink,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { createConnection, createServer } from "node:net";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import {
  connect,
  findIdes,
  type IdeConnection,
  isAlive,
  type ReconnectOptions,
} from "@lockstep/client";
import { fileUri } from "@lockstep/protocol";
import { describe, expect, it, onTestFinished } from "vitest";
import { whyMissing } from "../../../scripts/setup-system.mjs";
import { titled } from "../../server/test/attacks/needs.js";
import { rawRequest, UPGRADE } from "../../server/test/raw-http.js";
import { Scene } from "../../server/test/scene.js";
import { LOCKSTEP, PATIENCE, run, start } from "./command.js";
import { startSshd } from "./sshd.js";

interface Ready {
  readonly port: number;
  readonly lockFile: string;
  readonly workspaceFolders: readonly string[];
}

/** An editor on a project, and a place for agents that calls the project otherwise. */
async function places() {
  const scene = await Scene.open();
  onTestFinished(() => scene[Symbol.asyncDispose]());
  const far = { home: join(scene.home, "far"), folder: join(scene.home, "far", "work") };
  await mkdir(far.folder, { recursive: true });
  const uri = await scene.file("a.ts", "const a = 1;\n");
  scene.editor.open(uri, "const a = 1;\n");
  const server = await scene.serve();
  const { authToken } = JSON.parse(await readFile(server.lockFiles[0] ?? "", "utf8"));
  const lockstep = ["env", `HOME=${far.home}`, process.execPath, LOCKSTEP];
  return { scene, uri, server, far, authToken, lockstep, map: `${scene.folder}=${far.folder}` };
}

type Places = Awaited<ReturnType<typeof places>>;

/** A relay that runs until the end of the test, and what it said when it was ready. */
async function relaying({ scene }: Places, args: readonly string[]) {
  const child = start(scene.home, ["relay", ...args, "--json"], scene.folder);
  const told = await readyOf(child);
  return { child, ...told };
}

async function readyOf(child: ChildProcess, end: NodeJS.Signals = "SIGTERM") {
  let said = "";
  child.stderr?.on("data", (chunk) => (said += chunk));
  const ended = once(child, "close");
  onTestFinished(async () => {
    child.kill(end);
    await ended;
  });
  const line = once(createInterface({ input: child.stdout as never }), "line");
  const early = ended.then(([code]) => {
    throw new Error(`The relay ended with ${code}: ${said}`);
  });
  early.catch(() => {});
  const [first] = await Promise.race([line, early]);
  return { ready: JSON.parse(String(first)) as Ready, said: () => said, ended };
}

/** By `relay exec`, as by docker exec. */
function relayed(between: Places, ...more: readonly string[]) {
  const { map, lockstep } = between;
  // The options of our own come first: the rest is another program's.
  const child = start(
    between.scene.home,
    ["relay", "exec", "--map", map, "--json", ...more, "--", ...lockstep],
    between.scene.folder,
  );
  return readyOf(child).then((told) => ({ child, ...told }));
}

/** An agent at the other end, which finds the editor as any agent does. */
async function agentAt(
  { far }: Places,
  { port }: Ready,
  reconnect?: ReconnectOptions,
): Promise<IdeConnection> {
  const find = { configDir: join(far.home, ".claude"), env: {} };
  const ide = (await findIdes(find)).find((found) => found.port === port);
  if (!ide) throw new Error(`No lock file for port ${port}`);
  const agent = await connect(ide, { reconnect: reconnect && { ...reconnect, find } });
  onTestFinished(() => agent.close());
  return agent;
}

const locks = (home: string) => readdir(join(home, ".claude", "ide")).catch(() => []);

/** A proposal from the other end is about the file here, and its answer gets there. */
async function expectProposal(
  { scene, uri, far }: Places,
  propose: (path: string) => Promise<unknown>,
): Promise<unknown> {
  const answer = propose(join(far.folder, "a.ts"));
  const proposal = await scene.proposal();
  expect(proposal.uri).toBe(uri);
  scene.editor.draft(proposal.id, "const a = 3;\n");
  scene.editor.accept(proposal.id);
  return answer;
}

const openDiff = (agent: IdeConnection) => (path: string) =>
  agent.tools.openDiff({
    old_file_path: path,
    new_file_contents: "const a = 2;\n",
    tab_name: "t",
  });

/** Where a process and those below it take connections: address and port, in the kernel's own words. */
async function listening(pid: number): Promise<readonly string[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => "");
  const below = await Promise.all(
    children.trim().split(" ").filter(Boolean).map(Number).map(listening),
  );
  const names = await readdir(`/proc/${pid}/fd`).catch(() => []);
  const links = await Promise.all(
    names.map((name) => readlink(`/proc/${pid}/fd/${name}`).catch(() => "")),
  );
  const tables = await Promise.all(
    ["tcp", "tcp6", "udp", "udp6"].map((name) => readFile(`/proc/${pid}/net/${name}`, "utf8")),
  );
  const own = tables.flatMap((table) =>
    table
      .split("\n")
      .map((line) => line.trim().split(/\s+/))
      .filter(
        ([, , , state, , , , , , inode]) => state !== "01" && links.includes(`socket:[${inode}]`),
      )
      .map(([, local = ""]) => local),
  );
  return [...own, ...below.flat()];
}

const loopback = (port: number) => `0100007F:${port.toString(16).toUpperCase().padStart(4, "0")}`;

describe("lockstep relay exec", () => {
  it("carries a proposal, with the paths of either side", async () => {
    const between = await places();
    const { ready, child } = await relayed(between);
    expect(ready.workspaceFolders).toEqual([between.far.folder]);
    const lock = JSON.parse(await readFile(ready.lockFile, "utf8"));
    expect(lock).toMatchObject({ workspaceFolders: [between.far.folder], ideName: "Lockstep" });
    expect(isAlive(lock.pid)).toBe(true);
    expect(lock.pid).not.toBe(process.pid);
    expect(lock.pid).not.toBe(child.pid);

    const agent = await agentAt(between, ready);
    expect(await expectProposal(between, openDiff(agent))).toEqual({
      kind: "saved",
      text: "const a = 3;\n",
    });
    expect(await agent.tools.getWorkspaceFolders()).toEqual([between.far.folder]);
    const [tab] = await agent.tools.getOpenEditors();
    expect(tab).toMatchObject({ path: join(between.far.folder, "a.ts") });
    const selected = new Promise((resolve) => {
      agent.on("selection_changed", ({ filePath, text }) => text && resolve({ filePath, text }));
    });
    const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 5 } };
    between.scene.editor.select(between.uri, range);
    expect(await selected).toEqual({ filePath: join(between.far.folder, "a.ts"), text: "const" });
  });

  it("knows the folder by its real path at both ends, whatever --map calls it", async () => {
    const between = await places();
    const [here, there] = [join(between.scene.home, "here"), join(between.far.home, "there")];
    await symlink(between.scene.folder, here);
    await symlink(between.far.folder, there);
    const { ready } = await relayed({ ...between, map: `${here}=${there}` });
    expect(ready.workspaceFolders).toEqual([between.far.folder]);
    await expectProposal(between, openDiff(await agentAt(between, ready)));
  });

  it("opens nothing to others: one port of loopback, with a token of its own (attacks 1, 5, 10)", async () => {
    const between = await places();
    const { ready, said, child } = await relayed(between);
    expect(await listening(child.pid ?? 0)).toEqual([loopback(ready.port)]);

    const { authToken } = JSON.parse(await readFile(ready.lockFile, "utf8"));
    expect((await stat(ready.lockFile)).mode & 0o777).toBe(0o600);
    expect((await stat(dirname(ready.lockFile))).mode & 0o777).toBe(0o700);
    expect(authToken).not.toBe(between.authToken);
    const host = `Host: 127.0.0.1:${ready.port}`;
    const token = (value: string) => `X-Claude-Code-Ide-Authorization: ${value}`;
    const status = async (...lines: readonly string[]) =>
      (await rawRequest(ready.port, [host, ...UPGRADE, ...lines])).status;
    expect(await status(token(authToken))).toBe(101);
    expect(await status(token(between.authToken))).toBe(401);
    expect(await status()).toBe(401);
    expect(await status(token(authToken), "Origin: https://evil.example")).toBe(403);
    expect(said()).toBe("");
    for (const pid of (await readdir("/proc")).filter((name) => /^\d+$/.test(name))) {
      const line = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
      expect(line).not.toContain(authToken);
      expect(line).not.toContain(between.authToken);
    }
  });

  it("refuses what lies outside of the map, and says how to add it", async () => {
    const between = await places();
    const { ready } = await relayed(between);
    const agent = await agentAt(between, ready);
    for (const path of ["/etc/passwd", `${between.far.folder}/../../project/a.ts`]) {
      const reply = await agent.call("openDiff", {
        old_file_path: path,
        new_file_path: path,
        new_file_contents: "",
        tab_name: "t",
      });
      expect(reply.isError).toBe(true);
      expect(JSON.stringify(reply.content)).toContain("--map LOCAL=REMOTE");
    }
    expect(between.scene.sights.some(({ kind }) => kind === "shown")).toBe(false);
  });

  it("serves several agents at once, and a large proposal", async () => {
    const between = await places();
    const { ready } = await relayed(between);
    const agents = await Promise.all([1, 2, 3].map(() => agentAt(between, ready)));
    const large = "const a = 'ä';\n".repeat(700_000);
    const [first, ...others] = agents as [IdeConnection, ...IdeConnection[]];
    const answer = first.tools.openDiff({
      old_file_path: join(between.far.folder, "a.ts"),
      new_file_contents: large,
      tab_name: "large",
    });
    const proposal = await between.scene.proposal();
    for (const agent of others) expect(await agent.tools.getOpenEditors()).toHaveLength(1);
    between.scene.editor.accept(proposal.id);
    expect(await answer).toEqual({ kind: "saved", text: large });
  });

  it("follows the editor through a restart, and the agent gets through again", async () => {
    const between = await places();
    const { ready } = await relayed(between);
    const agent = await agentAt(between, ready, { delaysMs: [0, 100, 200, 400, 800] });
    const restored = new Promise<void>((resolve) => {
      agent.on("restored", () => resolve());
    });
    await between.server.stop();
    await between.scene.serve();
    await restored;
    await expectProposal(between, openDiff(agent));
    expect(agent.ide.port).toBe(ready.port);
  });

  it("withdraws the lock file while the editor is gone, and announces it when it is back", async () => {
    const between = await places();
    const { ready } = await relayed(between);
    await between.server.stop();
    await expect.poll(() => locks(between.far.home), PATIENCE).toEqual([]);
    await between.scene.serve();
    await expect.poll(() => locks(between.far.home), PATIENCE).toEqual([`${ready.port}.lock`]);
    await expectProposal(between, openDiff(await agentAt(between, ready)));
  });

  it("leaves nothing there: stopped, killed, or killed there", async () => {
    const between = await places();
    for (const end of ["SIGTERM", "SIGKILL", "there"] as const) {
      const { ready, child, ended } = await relayed(between);
      const { pid } = JSON.parse(await readFile(ready.lockFile, "utf8"));
      if (end === "there") process.kill(pid, "SIGTERM");
      else child.kill(end);
      const [code] = await ended;
      if (end !== "SIGKILL") expect(code).toBe(end === "there" ? 1 : 0);
      await expect.poll(() => isAlive(pid), PATIENCE).toBe(false);
      expect(await locks(between.far.home)).toEqual([]);
    }
  });

  it("keeps port and token for the next run, so that an agent finds its way back", async () => {
    const between = await places();
    const first = await relayed(between);
    const agent = await agentAt(between, first.ready, { delaysMs: Array(40).fill(250) });
    first.child.kill("SIGTERM");
    await first.ended;
    const again = await relayed(between);
    expect(again.ready.port).toBe(first.ready.port);
    await expectProposal(between, openDiff(agent));
  });
});

describe("what a relay cannot do is said in a sentence", () => {
  const cases = async (between: Places, table: readonly [string[], string, number][]) => {
    for (const [args, sentence, code] of table) {
      const ran = await run(between.scene.home, ["relay", ...args], between.scene.folder);
      expect(ran.stderr).toContain(sentence);
      expect(ran).toMatchObject({ code, stdout: "" });
    }
  };

  it("a command line that means nothing", async () => {
    const between = await places();
    const { lockstep } = between;
    await cases(between, [
      [[], "ssh, exec, listen or join", 2],
      [["tunnel"], "ssh, exec, listen or join", 2],
      [["exec"], "relay exec takes a command behind --", 2],
      [["exec", "web"], "relay exec takes a command behind --", 2],
      [["listen", "s", "--", "x"], "relay listen takes no command", 2],
      [["exec", "--map", "here=there", "--", ...lockstep], "two absolute paths", 2],
      [["ssh"], "relay ssh takes a host", 2],
      [["ssh", "--", "-oProxyCommand=true"], "relay ssh takes a host", 2],
      [["listen"], "relay listen takes a socket", 2],
      [["exec", "--ide", "1", "--", ...lockstep], "No editor announces port 1", 1],
    ]);
  });

  it("another end that is not there, or has not the folder", async () => {
    const between = await places();
    const { scene, map, lockstep } = between;
    await cases(between, [
      [["exec", "--", "no-such-program"], "no-such-program cannot be started", 1],
      [["exec", "--", "sh", "-c", "exit 127", "--"], "There is no lockstep at the other end", 1],
      [
        ["exec", "--", "sh", "-c", "echo no >&2; exit 3", "--"],
        "ended with 3 before the relay began: no",
        1,
      ],
      [["exec", "--map", "/elsewhere=/x", "--", ...lockstep], "no --map names that", 1],
      [
        ["exec", "--map", `${scene.folder}=/no/such/folder`, "--", ...lockstep],
        "At the other end: There is no folder /no/such/folder.",
        1,
      ],
      [["exec", "--map", map, "--", "head", "-c", "100000", "/dev/zero"], "head ended with", 1],
    ]);
  });

  it("and nothing from elsewhere can redraw the terminal (attack 22)", async () => {
    const between = await places();
    const evil = "printf '\\033[2Jevil\\n' >&2; exit 3";
    const { stderr } = await run(
      between.scene.home,
      ["relay", "exec", "--", "sh", "-c", evil, "--"],
      between.scene.folder,
    );
    expect(stderr).toContain("evil");
    expect(stderr).not.toContain("\u001b");
    await between.server.stop();
    await between.scene.serve({ ideName: "\u001b[2J\u202eNice" });
    const { ready } = await relayed(between);
    const { ideName } = JSON.parse(await readFile(ready.lockFile, "utf8"));
    expect(ideName).toContain("Nice");
    for (const mark of ["\u001b", "\u202e"]) expect(ideName).not.toContain(mark);
  });
});

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

const UNSHARE = [
  ...(process.getuid?.() === 0 ? [] : ["-r"]),
  ...["--net", "--mount", "--pid", "--fork", "--mount-proc", "--kill-child"],
];

/** Why there are no namespaces here; on CI only the kernel may be the reason. */
function whyNoNamespaces(): string | undefined {
  const missing = whyMissing("unshare") ?? whyMissing("ip");
  if (missing && process.env.CI) throw new Error(`On CI nothing may be missing: ${missing}`);
  const { status, stderr } = spawnSync("unshare", [...UNSHARE, "true"], { encoding: "utf8" });
  return missing ?? (status === 0 ? undefined : `the kernel forbids namespaces: ${stderr}`);
}

const noNamespaces = whyNoNamespaces();

describe.skipIf(noNamespaces)(titled("lockstep relay into a container", noNamespaces), () => {
  it("carries a proposal between network, process and mount namespaces", async () => {
    const between = await places();
    const { scene, far, server } = between;
    const socket = join(scene.home, "s");
    await relaying(between, ["listen", socket, "--map", between.map]);
    const inside = [
      "ip link set lo up",
      `mount --bind "${scene.folder}" "${far.folder}"`,
      // Its name here is not there.
      `mount -t tmpfs none "${scene.folder}"`,
      `"$@" & wait`,
    ].join(" && ");
    const { PATH } = process.env;
    const env = { PATH: `${PATH}:/usr/sbin:/sbin`, HOME: far.home };
    const join_ = [process.execPath, LOCKSTEP, "relay", "join", socket, "--json"];
    const box = spawn("unshare", [...UNSHARE, "sh", "-c", inside, "sh", ...join_], {
      env,
      cwd: scene.home,
    });
    const { ready } = await readyOf(box, "SIGKILL");
    const [first] = (await readFile(`/proc/${box.pid}/task/${box.pid}/children`, "utf8")).split(
      " ",
    );
    /** Runs a command in the container. */
    const there = (...command: readonly string[]) => {
      const enter = ["--target", String(first), "--net", "--pid", "--mount"];
      const child = spawn("nsenter", [...enter, `--wdns=${far.folder}`, ...command], { env });
      let out = "";
      for (const stream of [child.stdout, child.stderr])
        stream.on("data", (chunk) => (out += chunk));
      return once(child, "close").then(([code]) => ({ code: code as number, out }));
    };
    const lockstep = (...args: readonly string[]) => there(process.execPath, LOCKSTEP, ...args);

    // Another network, other processes, other folders: only the socket is shared.
    const direct = `require("net").connect(${server.port}, "127.0.0.1").on("error", () => process.exit(9))`;
    expect((await there(process.execPath, "-e", direct)).code).toBe(9);
    expect((await there("ls", scene.folder)).out).toBe("");
    const { pid } = JSON.parse(await readFile(ready.lockFile, "utf8"));
    expect((await there("kill", "-0", String(pid))).code).toBe(0);
    expect((await there("cat", `/proc/${pid}/cmdline`)).out).toContain("relay");

    const doctor = await lockstep("doctor", "--json");
    expect(JSON.parse(doctor.out).connects).toMatchObject({ port: ready.port });
    const answer = await expectProposal(between, (path) =>
      lockstep(
        "call",
        "openDiff",
        JSON.stringify({ old_file_path: path, new_file_contents: "2", tab_name: "t" }),
      ),
    );
    expect(answer).toEqual({ code: 0, out: "FILE_SAVED\nconst a = 3;\n\n" });
  });
});

const noSshd = whyMissing("sshd");
if (noSshd && process.env.CI) throw new Error(`On CI nothing may be missing: ${noSshd}`);

describe.skipIf(noSshd)(titled("lockstep relay ssh", noSshd), () => {
  const remote = ({ lockstep }: Places) => lockstep.map((word) => `'${word}'`).join(" ");

  /** By the person's own ssh to a real sshd. */
  async function relayedBySsh(between: Places, command = remote(between)) {
    const sshd = await startSshd();
    const args = ["ssh", "box", "--map", between.map, "--remote-command", command];
    const child = start(
      between.scene.home,
      ["relay", ...args, "--json", "--", ...sshd.options],
      between.scene.folder,
    );
    const told = await readyOf(child);
    return { sshd, child, ...told };
  }

  it("carries a proposal, and opens no port but the agents' on loopback", async () => {
    const between = await places();
    const { ready, child } = await relayedBySsh(between);
    const { pid } = JSON.parse(await readFile(ready.lockFile, "utf8"));
    expect(await listening(child.pid ?? 0)).toEqual([]);
    expect(await listening(pid)).toEqual([loopback(ready.port)]);
    const agent = await agentAt(between, ready);
    expect(await expectProposal(between, openDiff(agent))).toMatchObject({ kind: "saved" });
    const [tab] = await agent.tools.getOpenEditors();
    expect(tab?.uri).toBe(fileUri(join(between.far.folder, "a.ts")));
  });

  it("passes over what the shell there says first", async () => {
    const between = await places();
    const { ready } = await relayedBySsh(between, `echo Welcome to box; ${remote(between)}`);
    await expectProposal(between, openDiff(await agentAt(between, ready)));
  });

  it("announces where it is told to", async () => {
    const between = await places();
    const sshd = await startSshd();
    const configDir = join(between.far.home, "it's here");
    const args = ["ssh", "box", "--map", between.map, "--remote-command", remote(between)];
    const child = start(
      between.scene.home,
      ["relay", ...args, "--remote-config-dir", configDir, "--json", "--", ...sshd.options],
      between.scene.folder,
    );
    const { ready } = await readyOf(child);
    expect(ready.lockFile).toBe(join(configDir, "ide", `${ready.port}.lock`));
    await stat(ready.lockFile);
  });

  it("leaves nothing there when the connection is cut, or the relay killed", async () => {
    const between = await places();
    for (const end of ["cut", "killed"]) {
      const { ready, sshd, child, ended } = await relayedBySsh(between);
      const { pid } = JSON.parse(await readFile(ready.lockFile, "utf8"));
      if (end === "cut") {
        await sshd.cut();
        expect((await ended)[0]).toBe(1);
      } else child.kill("SIGKILL");
      await expect.poll(() => isAlive(pid), PATIENCE).toBe(false);
      await expect.poll(() => locks(between.far.home), PATIENCE).toEqual([]);
    }
  });

  it("says so where there is no lockstep there, or nobody answers", async () => {
    const between = await places();
    const sshd = await startSshd();
    const silent = createServer().listen(0, "127.0.0.1");
    await once(silent, "listening");
    const { port } = silent.address() as { port: number };
    silent.close();
    await once(silent, "close");
    const table: [string[], string, number][] = [
      [
        ["box", "--remote-command", "no-such-lockstep"],
        "There is no lockstep on box. Install it",
        1,
      ],
      [["box", "--", "-p", String(port)], "ssh ended with 255 before the relay began", 1],
    ];
    for (const [args, sentence, code] of table) {
      const own = args.includes("--") ? [] : ["--"];
      const line = ["relay", "ssh", ...args, ...own, ...sshd.options];
      const ran = await run(between.scene.home, line, between.scene.folder);
      expect(ran.stderr).toContain(sentence);
      expect(ran).toMatchObject({ code, stdout: "" });
    }
  });
});
