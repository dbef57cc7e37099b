import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, open, rename, rm, symlink, utimes } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { text as readText } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";
import { AnnouncedIde, INTRODUCTION, type Manners } from "../src/announced-ide.js";
import { Claude } from "../src/claude.js";
import { PROGRAM } from "../src/lockstep-command.js";
import { MessagesApi } from "../src/messages-api.js";
import { titled, whyNoClaude } from "../src/needs.js";
import { Workspace } from "../src/workspace.js";

type Fields = Readonly<Record<string, unknown>>;

interface Situation {
  readonly name: string;
  /** Starts `claude --ide`; by default it is told nothing on its command line. */
  readonly told?: boolean;
  /** How each editor's lock file differs from a plain one. */
  readonly locks: (workspace: Workspace) => readonly Fields[];
  /** How the first one is written, if not as JSON. */
  readonly written?: (fields: Fields) => string;
  /** How the first editor behaves, if not as usual. */
  readonly manners?: Manners;
  readonly env?: (ports: readonly number[]) => Readonly<Record<string, string>>;
  /** What the project's folder is called. */
  readonly project?: string;
  /** How many shells are between the one above and the agent. */
  readonly between?: number;
  /** The editor that is taken, by its place in the list; null for none. */
  readonly takes: number | null;
  /** What else is arranged once the lock files are written. */
  readonly arrange?: (lockFiles: readonly string[], workspace: Workspace) => Promise<void>;
}

/** Stands for the shell that starts the CLI, as a terminal inside of an editor has the editor above it. */
const ABOVE = "the process above";

const one = () => [{}];
const two = () => [{}, {}];

/** One editor that announces these folders, whatever they are, and a usual one beside it if `beside`. */
const folders = (list: unknown) => () => [{ workspaceFolders: list }];
const besideFolders = (list: unknown) => () => [{ workspaceFolders: list }, {}];

/** The first editor's lock file gets another name. */
const renamed =
  (name: (port: string) => string) =>
  ([lock = ""]: readonly string[]) =>
    rename(lock, join(dirname(lock), name(basename(lock, ".lock"))));

/** The agent looks at the newest first. */
const aged = (which: number) => async (lockFiles: readonly string[]) => {
  const anHourAgo = Date.now() / 1_000 - 3_600;
  await utimes(lockFiles[which] ?? "", anHourAgo, anHourAgo);
};

const override = (host: string) => () => ({ CLAUDE_CODE_IDE_HOST_OVERRIDE: host });

const SITUATIONS: readonly Situation[] = [
  { name: "one editor and --ide", told: true, locks: one, takes: 0 },
  { name: "one editor, and nothing said", locks: one, takes: null },
  { name: "no editor", told: true, locks: () => [], takes: null },
  { name: "two editors", told: true, locks: two, takes: null },
  {
    name: "two editors, one named by the port",
    locks: two,
    env: ([, second]) => ({ CLAUDE_CODE_SSE_PORT: String(second) }),
    takes: 1,
  },
  {
    name: "an editor of another folder, named by the port",
    locks: () => [{ workspaceFolders: ["/opt"] }],
    env: ([first]) => ({ CLAUDE_CODE_SSE_PORT: String(first) }),
    takes: 0,
  },
  {
    name: "a port that nobody has any more",
    locks: one,
    env: () => ({ CLAUDE_CODE_SSE_PORT: "1" }),
    takes: 0,
  },
  {
    name: "a port that is none",
    locks: one,
    env: () => ({ CLAUDE_CODE_SSE_PORT: "editor" }),
    takes: null,
  },
  {
    name: "connecting switched on by another word",
    locks: one,
    env: () => ({ CLAUDE_CODE_AUTO_CONNECT_IDE: "1" }),
    takes: 0,
  },
  {
    name: "connecting switched off, in spite of --ide",
    told: true,
    locks: one,
    env: () => ({ CLAUDE_CODE_AUTO_CONNECT_IDE: "0" }),
    takes: null,
  },
  {
    name: "the terminal of an editor that is above",
    locks: () => [{ pid: ABOVE }],
    env: () => ({ TERM_PROGRAM: "vscode" }),
    takes: 0,
  },
  {
    name: "the terminal of an editor that is not above",
    told: true,
    locks: one,
    env: () => ({ TERM_PROGRAM: "vscode" }),
    takes: null,
  },
  {
    name: "the terminal of an editor that names no process",
    told: true,
    locks: () => [{ pid: undefined }],
    env: () => ({ TERM_PROGRAM: "cursor" }),
    takes: null,
  },
  {
    name: "a terminal that says by another variable that it is an editor's",
    told: true,
    locks: one,
    env: () => ({ FORCE_CODE_TERMINAL: "0" }),
    takes: null,
  },
  {
    name: "a folder that is a link to this one",
    told: true,
    locks: ({ root }) => [{ workspaceFolders: [join(root, "link")] }],
    arrange: (_, { root, project }) => symlink(project, join(root, "link")),
    takes: null,
  },
  {
    name: "a folder that is written by a detour",
    told: true,
    locks: ({ project }) => [{ workspaceFolders: [`${project}/src/..`] }],
    takes: 0,
  },
  {
    name: "a folder below",
    told: true,
    locks: ({ project }) => [{ workspaceFolders: [join(project, "src")] }],
    takes: null,
  },
  { name: "a process that is gone", told: true, locks: () => [{ pid: 4_000_000 }], takes: null },
  { name: "a number in words", told: true, locks: () => [{ pid: "1" }], takes: 0 },
  {
    name: "an editor of another transport beside it",
    told: true,
    locks: () => [{}, { transport: "sse" }],
    takes: null,
  },
  {
    name: "one editor that is announced in both folders",
    told: true,
    locks: one,
    arrange: async ([lock = ""], { home }) => {
      await mkdir(join(home, ".claude", "ide"), { recursive: true });
      await spawnToEnd("cp", [lock, join(home, ".claude", "ide")]);
    },
    takes: null,
  },
  {
    name: "a lock file that others may write",
    told: true,
    locks: one,
    arrange: ([lock = ""]) => chmod(lock, 0o666),
    takes: 0,
  },
  {
    name: "a lock file in ~/.config/claude",
    told: true,
    locks: one,
    arrange: async ([lock = ""], { home }) => {
      const place = join(home, ".config", "claude", "ide");
      await mkdir(place, { recursive: true });
      await rename(lock, join(place, lock.slice(lock.lastIndexOf("/") + 1)));
    },
    takes: null,
  },
  {
    name: "another host",
    told: true,
    locks: one,
    env: () => ({ CLAUDE_CODE_IDE_HOST_OVERRIDE: "127.0.0.9" }),
    takes: null,
  },
  {
    name: "a proxy for everything",
    told: true,
    locks: one,
    env: () => ({ HTTP_PROXY: "http://127.0.0.1:9", ALL_PROXY: "http://127.0.0.1:9" }),
    takes: 0,
  },
  {
    name: "a host where the editor is, and nowhere else",
    told: true,
    locks: one,
    manners: { host: "127.0.0.2" },
    env: override("127.0.0.2"),
    takes: 0,
  },
  {
    name: "a host by a name that is both addresses",
    told: true,
    locks: one,
    manners: { host: "::1" },
    env: override("localhost"),
    takes: 0,
  },
  {
    name: "a host that makes no address",
    told: true,
    locks: one,
    manners: { host: "::1" },
    env: override("::1"),
    takes: null,
  },
  {
    name: "a host in brackets, with a space",
    told: true,
    locks: one,
    manners: { host: "::1" },
    env: override(" [::1]"),
    takes: 0,
  },
  {
    name: "a lock file that is a link",
    told: true,
    locks: one,
    arrange: async ([lock = ""], { root }) => {
      await rename(lock, join(root, "elsewhere"));
      await symlink(join(root, "elsewhere"), lock);
    },
    takes: 0,
  },
  {
    name: "a lock file of a megabyte",
    told: true,
    locks: () => [{ more: "x".repeat(1_000_000) }],
    takes: 0,
  },
  {
    name: "a folder and a link to nothing beside it",
    told: true,
    locks: one,
    arrange: async ([lock = ""]) => {
      await mkdir(join(dirname(lock), "123.lock"));
      await symlink("/nowhere", join(dirname(lock), "124.lock"));
    },
    takes: 0,
  },
  { name: "folders as a text", told: true, locks: folders("/opt"), takes: 0 },
  { name: "folders as a text without a slash", told: true, locks: besideFolders("opt"), takes: 1 },
  { name: "an empty list of folders", told: true, locks: folders([]), takes: null },
  { name: "no folders", told: true, locks: besideFolders(null), takes: 1 },
  { name: "an empty folder", told: true, locks: besideFolders([""]), takes: 1 },
  { name: "a folder from here", told: true, locks: folders([null, "."]), takes: 0 },
  { name: "a folder by its name alone", told: true, locks: folders(["project"]), takes: null },
  {
    name: "a folder with slashes at its end, and behind it what is no folder",
    told: true,
    locks: ({ project }) => [{ workspaceFolders: [`${project}//`, 7] }],
    takes: 0,
  },
  {
    name: "a folder in other letters",
    told: true,
    locks: ({ root }) => [{ workspaceFolders: [join(root, "PROJECT")] }],
    takes: null,
  },
  {
    name: "a folder with its accents written apart",
    told: true,
    project: "caf\u00e9",
    locks: ({ project }) => [{ workspaceFolders: [project.normalize("NFD")] }],
    takes: 0,
  },
  {
    name: "a folder that is a number, in the newest lock file",
    told: true,
    locks: besideFolders([7]),
    arrange: aged(1),
    takes: null,
  },
  {
    name: "a folder that is a number, in an older lock file",
    told: true,
    locks: besideFolders([7]),
    arrange: aged(0),
    takes: 1,
  },
  {
    name: "folders that are none, and the port that names another editor",
    locks: besideFolders(true),
    env: ([, second]) => ({ CLAUDE_CODE_SSE_PORT: String(second) }),
    arrange: aged(1),
    takes: null,
  },
  {
    name: "folders that are none, and the port that names it",
    locks: folders({ 0: "/" }),
    env: ([first]) => ({ CLAUDE_CODE_SSE_PORT: String(first) }),
    takes: 0,
  },
  {
    name: "a name that is a number, in the newest lock file",
    told: true,
    locks: () => [{ ideName: 5 }, {}],
    arrange: aged(1),
    takes: null,
  },
  { name: "no name", told: true, locks: () => [{ ideName: null }], takes: 0 },
  { name: "a number as token", told: true, locks: () => [{ authToken: 12345 }], takes: 0 },
  { name: "an object as token", told: true, locks: () => [{ authToken: {} }], takes: 0 },
  { name: "a token of two lines", told: true, locks: () => [{ authToken: "a\nb" }], takes: null },
  { name: "no token", told: true, locks: () => [{ authToken: null }], takes: 0 },
  { name: "no process", told: true, locks: () => [{ pid: null }], takes: 0 },
  { name: "a process that is true", told: true, locks: () => [{ pid: true }], takes: 0 },
  { name: "a process by a word", told: true, locks: () => [{ pid: "code" }], takes: null },
  { name: "a transport in capitals", told: true, locks: () => [{ transport: "WS" }], takes: null },
  {
    name: "an editor on the Windows side",
    told: true,
    locks: () => [{ runningInWindows: "yes" }],
    takes: 0,
  },
  {
    name: "a byte order mark",
    told: true,
    locks: two,
    written: (fields) => `\ufeff${JSON.stringify(fields)}`,
    takes: 1,
  },
  {
    name: "something behind the JSON",
    told: true,
    locks: one,
    written: (fields) => `${JSON.stringify(fields)}}`,
    takes: null,
  },
  {
    name: "lines instead of JSON, one of them this folder",
    told: true,
    locks: two,
    written: ({ workspaceFolders }) => `once\r\n ${workspaceFolders}\n`,
    takes: null,
  },
  { name: "an empty lock file", told: true, locks: two, written: () => "", takes: 1 },
  { name: "null", told: true, locks: two, written: () => "null", takes: 1 },
  {
    name: "a name that only begins with the port",
    told: true,
    locks: one,
    arrange: renamed((port) => ` 0${port}.old.lock`),
    takes: 0,
  },
  {
    name: "a name without a port",
    told: true,
    locks: two,
    arrange: renamed(() => "editor.lock"),
    takes: null,
  },
  {
    name: "a name with a port that is too large",
    told: true,
    locks: two,
    arrange: renamed(() => "99999.lock"),
    takes: null,
  },
  {
    name: "a name that ends otherwise",
    told: true,
    locks: two,
    arrange: renamed((port) => `${port}.LOCK`),
    takes: 1,
  },
  {
    name: "one editor that is announced twice, named by the port",
    locks: one,
    env: ([first]) => ({ CLAUDE_CODE_SSE_PORT: String(first) }),
    arrange: async ([lock = ""]) =>
      void (await spawnToEnd("cp", [lock, join(dirname(lock), `0${basename(lock)}`)])),
    takes: null,
  },
  {
    name: "the terminal of an editor that is the first process of all",
    told: true,
    locks: () => [{ pid: 1 }],
    env: () => ({ TERM_PROGRAM: "vscode" }),
    takes: null,
  },
  {
    name: "the terminal of an editor that is eleven above",
    locks: () => [{ pid: ABOVE }],
    env: () => ({ TERM_PROGRAM: "vscode" }),
    between: 10,
    takes: 0,
  },
  {
    name: "the terminal of an editor that is twelve above",
    locks: () => [{ pid: ABOVE }],
    env: () => ({ TERM_PROGRAM: "vscode" }),
    between: 11,
    takes: null,
  },
  {
    name: "an editor that chooses no subprotocol",
    told: true,
    locks: one,
    manners: { chooses: false },
    takes: null,
  },
  {
    name: "an editor of a protocol version that nobody knows",
    told: true,
    locks: one,
    manners: { answers: { initialize: { ...INTRODUCTION, protocolVersion: "2099-01-01" } } },
    takes: null,
  },
  {
    name: "an editor of the first protocol version",
    told: true,
    locks: one,
    manners: { answers: { initialize: { ...INTRODUCTION, protocolVersion: "2024-10-07" } } },
    takes: 0,
  },
  {
    name: "an editor that says no capabilities",
    told: true,
    locks: one,
    manners: { answers: { initialize: { ...INTRODUCTION, capabilities: undefined } } },
    takes: null,
  },
  {
    name: "an editor that says no version of itself",
    told: true,
    locks: one,
    manners: { answers: { initialize: { ...INTRODUCTION, serverInfo: { name: "Some" } } } },
    takes: null,
  },
  {
    name: "an editor that lists no tools",
    told: true,
    locks: one,
    manners: { answers: { "tools/list": null } },
    takes: 0,
  },
];

const reason = whyNoClaude();

describe.skipIf(reason)(titled("the doctor decides as the real CLI does", reason), () => {
  it.for(SITUATIONS)("$name", async (situation) => {
    const { told = false, locks, written = JSON.stringify, manners = {}, arrange } = situation;
    const { env: variables = () => ({}), takes } = situation;
    const workspace = await Workspace.create(situation.project);
    onTestFinished(() => workspace.remove());
    const { configDir, home, project } = workspace;
    const ides: AnnouncedIde[] = [];
    const lockFiles: string[] = [];
    const owner = await anotherProcess();
    const plain = { pid: owner, workspaceFolders: [project], ideName: "Some", transport: "ws" };
    const fields: readonly Fields[] = locks(workspace).map((differs) => ({
      ...plain,
      authToken: "t",
      ...differs,
    }));
    for (const [index, each] of fields.entries()) {
      const ide = await AnnouncedIde.start(index === 0 ? manners : {});
      const text = index === 0 ? written(each) : JSON.stringify(each);
      lockFiles.push(await ide.announce(configDir, text));
      ides.push(ide);
    }
    await arrange?.(lockFiles, workspace);
    const env = variables(ides.map(({ port }) => port));
    const between = Array.from({ length: situation.between ?? 0 }, () => STAY_BETWEEN).flat();
    const through = ["sh", "-c", STAY_ABOVE, "sh", ABOVE, configDir, ...between];

    const doctor = await spawnToEnd(
      through[0] ?? "",
      [...through.slice(1), process.execPath, PROGRAM, "doctor", "--json"],
      { PATH: process.env.PATH, HOME: home, CLAUDE_CONFIG_DIR: configDir, ...env },
      project,
    );
    const { connects } = JSON.parse(doctor.stdout);
    const port = takes === null ? null : ides[takes]?.port;
    expect(connects && (told || connects.byItself) ? connects.port : null).toBe(port);
    if (told) expect(doctor.code).toBe(takes === null ? 1 : 0);

    // Another shell is above the CLI than was above the doctor.
    for (const [index, each] of fields.entries())
      if (each.pid === ABOVE) await ides[index]?.announce(configDir, each);
    const api = await MessagesApi.start();
    onTestFinished(() => api.stop());
    const args = told ? ["--ide"] : [];
    const claude = await Claude.start({ workspace, api, args, env, through });
    onTestFinished(() => claude.exit());
    if (takes === null) {
      await claude.submit("/ide");
      await claude.terminal.waitFor(/Select IDE|No available IDEs|Didn't install/);
    } else await ides[takes]?.connected();
    expect(ides.map(({ taken }) => taken)).toEqual(ides.map((_, index) => index === takes));
  });

  it("a lock file that is a pipe", async () => {
    const workspace = await Workspace.create();
    onTestFinished(() => workspace.remove());
    const { configDir, home, project } = workspace;
    const ide = await AnnouncedIde.start();
    const lock = { workspaceFolders: [project], ideName: "Some", transport: "ws", authToken: "t" };
    const pipe = join(dirname(await ide.announce(configDir, lock)), "9.lock");
    await spawnToEnd("mkfifo", [pipe]);

    const env = { PATH: process.env.PATH, HOME: home, CLAUDE_CONFIG_DIR: configDir };
    const doctor = await spawnToEnd(process.execPath, [PROGRAM, "doctor", "--json"], env, project);
    const { connects, findings } = JSON.parse(doctor.stdout);
    expect(connects).toBe(null);
    expect(findings).toContainEqual(expect.objectContaining({ code: "search-fails" }));

    const api = await MessagesApi.start();
    onTestFinished(() => api.stop());
    // Opened as soon as somebody reads from it.
    const writing = open(pipe, "w");
    const claude = await Claude.start({ workspace, api, args: ["--ide"] });
    onTestFinished(() => claude.exit());
    const writer = await writing;
    expect(ide.taken).toBe(false);
    await rm(pipe);
    // It had waited for the end of the pipe.
    await writer.close();
    await ide.connected();
  });
});

/** Starts a command and stays above it; the lock file that is to name what is above names this shell. */
const STAY_ABOVE = `
above=$1 config=$2; shift 2
for lock in "$config"/ide/*.lock; do
  grep -qs "$above" "$lock" && sed -i "s/\\"$above\\"/$$/" "$lock"
done
"$@"
exit $?`;
const STAY_BETWEEN = ["sh", "-c", '"$@"; exit $?', "sh"];

/** The number of a living process that is above nobody. */
async function anotherProcess(): Promise<number> {
  const child = spawn("sleep", ["600"]);
  onTestFinished(() => void child.kill());
  await once(child, "spawn");
  return child.pid ?? 0;
}

async function spawnToEnd(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
  cwd?: string,
) {
  const child = spawn(command, args, { env, cwd, stdio: ["ignore", "pipe", "inherit"] });
  const [stdout, [code]] = await Promise.all([readText(child.stdout), once(child, "close")]);
  return { stdout, code };
}
