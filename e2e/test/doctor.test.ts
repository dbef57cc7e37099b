import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, rename, symlink } from "node:fs/promises";
import { join } from "node:path";
import { text as readText } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";
import { AnnouncedIde } from "../src/announced-ide.js";
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
  readonly env?: (ports: readonly number[]) => Readonly<Record<string, string>>;
  /** The editor that is taken, by its place in the list; null for none. */
  readonly takes: number | null;
  /** What else is arranged once the lock files are written. */
  readonly arrange?: (lockFiles: readonly string[], workspace: Workspace) => Promise<void>;
}

/** Stands for the shell that starts the CLI, as a terminal inside of an editor has the editor above it. */
const ABOVE = "the process above";

const one = () => [{}];
const two = () => [{}, {}];

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
];

const reason = whyNoClaude();

describe.skipIf(reason)(titled("the doctor decides as the real CLI does", reason), () => {
  it.for(SITUATIONS)("$name", async (situation) => {
    const { told = false, locks, env: variables = () => ({}), arrange, takes } = situation;
    const workspace = await Workspace.create();
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
    for (const each of fields) {
      const ide = await AnnouncedIde.start();
      lockFiles.push(await ide.announce(configDir, each));
      ides.push(ide);
    }
    await arrange?.(lockFiles, workspace);
    const env = variables(ides.map(({ port }) => port));
    const through = ["sh", "-c", STAY_ABOVE, "sh", ABOVE, configDir];

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
});

/** Starts a command and stays above it; the lock file that is to name what is above names this shell. */
const STAY_ABOVE = `
above=$1 config=$2; shift 2
for lock in $(ls "$config"/ide/*.lock 2>/dev/null); do
  grep -q "$above" "$lock" && sed -i "s/\\"$above\\"/$$/" "$lock"
done
"$@"
exit $?`;

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
