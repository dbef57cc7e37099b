import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { DEFAULTS, type Events, type Settings } from "../contract/index.js";
import { initialState } from "../state/initial-state.js";
import { Store } from "../state/store.js";
import type { Window } from "../windows/window.js";
import { sessionMembers } from "./process-tree.js";
import { Terminals } from "./terminals.js";

/** A page: shows what it is sent, unless it sleeps. */
class Page implements Window {
  readonly number = 1;
  seen = "";
  characters = 0;
  behind = 0;
  sleeping = false;
  readonly #closers: (() => void)[] = [];
  constructor(private readonly terminals: Terminals) {}

  send<Name extends keyof Events>(name: Name, event: Events[Name]): void {
    if (name === "terminal.behind") this.behind++;
    if (name !== "terminal.data") return;
    const { id, data } = event as Events["terminal.data"];
    this.seen = (this.seen + data).slice(-20_000);
    this.characters += data.length;
    if (this.sleeping) return;
    setImmediate(() =>
      this.terminals.handlers["terminal.shown"]({ id, characters: data.length }, this),
    );
  }
  onClose(listener: () => void): Disposable {
    this.#closers.push(listener);
    return { [Symbol.dispose]: () => {} };
  }
  close(): void {
    for (const closer of this.#closers) closer();
  }
}

let folder: string;
let store: Store;
let terminals: Terminals;
let settings: Required<Settings>;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "terminals-")));
  // No start-up files of whoever runs this.
  vi.stubEnv("HOME", folder);
  store = new Store(initialState(folder));
  settings = { ...DEFAULTS, terminalShell: "/bin/bash" };
  const surroundings = {
    store,
    folders: [folder],
    stateDir: folder,
    report: () => {},
    broadcast: () => {},
  };
  const environment = () => ({ CLAUDE_CODE_SSE_PORT: "4711" });
  terminals = new Terminals(surroundings, { environment, settings: () => settings });
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await terminals[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

async function open(page = new Page(terminals)): Promise<{ id: string; page: Page }> {
  const size = { columns: 80, rows: 24 };
  const { id } = await terminals.handlers["terminal.open"]({ kind: "shell", ...size }, page);
  page.seen += (await terminals.handlers["terminal.attach"]({ id }, page)).printed;
  return { id, page };
}
const write = (id: string, page: Page, data: string) =>
  terminals.handlers["terminal.write"]({ id, data }, page);
const sees = (page: Page, text: string | RegExp) =>
  vi.waitFor(() => expect(page.seen).toMatch(text), { timeout: 10_000 });
const info = (id: string) => store.state.terminals[id];

describe("a terminal", () => {
  it("runs a real shell in the main folder, on a real pty of the given size", async () => {
    const { id, page } = await open();
    await write(id, page, "pwd; tty; stty size\r");
    await sees(page, folder);
    await sees(page, "/dev/pts/");
    await sees(page, "24 80");
    await terminals.handlers["terminal.resize"]({ id, columns: 1_000, rows: 1 }, page);
    await write(id, page, "stty size\r");
    await sees(page, "1 1000");
  });

  it("has what an agent needs in its environment, and nothing that describes another terminal", async () => {
    vi.stubEnv("LOCKSTEP_SECRET", "hush");
    vi.stubEnv("TMUX", "/tmp/tmux");
    const { id, page } = await open();
    await write(id, page, "env | grep -E '^(CLAUDE|TERM|COLOR|TMUX|LOCK)' | sort; echo do''ne\r");
    await sees(page, "done");
    expect(page.seen).toContain("CLAUDE_CODE_SSE_PORT=4711");
    expect(page.seen).toContain("TERM=xterm-256color");
    expect(page.seen).toContain("COLORTERM=truecolor");
    expect(page.seen).not.toMatch(/TMUX=|LOCKSTEP_/);
  });

  it("goes on without a window, and shows the next one what was printed", async () => {
    const { id, page } = await open();
    await write(id, page, "echo fir''st\r");
    await sees(page, "first");
    page.close();
    const second = new Page(terminals);
    await write(id, second, "echo sec''ond\r");
    const again = async () => (await terminals.handlers["terminal.attach"]({ id }, second)).printed;
    await vi.waitFor(async () => expect(await again()).toMatch(/first[\s\S]*second/));
  });

  it("is sent no more to a window that does not show it", async () => {
    const { id, page } = await open();
    const other = new Page(terminals);
    await terminals.handlers["terminal.attach"]({ id }, other);
    await terminals.handlers["terminal.detach"]({ id }, page);
    const before = page.characters;
    await write(id, other, "echo go''ne\r");
    await sees(other, "gone");
    expect(page.characters).toBe(before);
  });

  it("hears the answer to a query once, whoever else shows it", async () => {
    const { id, page } = await open();
    const other = new Page(terminals);
    await terminals.handlers["terminal.attach"]({ id }, other);
    await write(id, page, "stty -echo; cat -v\r");
    await sees(page, "cat -v");
    await write(id, other, "\u001b[?1;2c");
    await write(id, page, "\u001b[?1;2c\r");
    await sees(page, /\^\[\[\?1;2c\r?\n/);
    expect(page.seen).not.toContain("2c^[");
    await write(id, other, "typed\r");
    await sees(page, "typed");
  });

  it("takes its title from the program, without what could disguise it", async () => {
    const { id, page } = await open();
    expect(info(id)?.title).toBe("bash");
    await write(
      id,
      page,
      "PS1=; printf '\\033]0;evil\\u202ename \\007'; printf '\\033]2;hal'; printf 'ves\\033\\\\'\r",
    );
    await vi.waitFor(() => expect(info(id)?.title).toBe("halves"));
    await write(
      id,
      page,
      "printf '\\033]0;a\\u202eb%s\\007' $(head -c 3000 /dev/zero | tr '\\0' x)\r",
    );
    await vi.waitFor(() => expect(info(id)?.title).toMatch(/^a\ufffdbx{100,}…$/));
  });

  it("tells how its shell ended, and takes nothing afterwards", async () => {
    const { id, page } = await open();
    await write(id, page, "exit 3\r");
    await vi.waitFor(() => expect(info(id)?.exitCode).toBe(3));
    await write(id, page, "echo too late\r");
    await terminals.handlers["terminal.resize"]({ id, columns: 10, rows: 10 }, page);
    terminals.type(id, "too late");
    await terminals.handlers["terminal.close"]({ id }, page);
    expect(info(id)).toBeUndefined();
    expect(() => write(id, page, "x")).toThrow("has been closed");
  });

  it("is known by the processes in it", async () => {
    const { id, page } = await open();
    await write(id, page, "bash -c 'echo pid=$$; read x'\r");
    await sees(page, /pid=\d+/);
    const pid = Number(/pid=(\d+)/.exec(page.seen)?.[1]);
    expect(terminals.terminalOf(pid)).toBe(id);
    expect(terminals.terminalOf(process.pid)).toBeNull();
    expect(terminals.terminalOf(999_999_999)).toBeNull();
  });
});

describe("closing a terminal", () => {
  it("leaves nothing behind, not even what ignores the hang-up", async () => {
    const { id, page } = await open();
    const script = "trap '' HUP TERM; echo rea''dy $$; while :; do sleep 1; done";
    await write(id, page, `bash -c "${script.replaceAll("$", "\\$")}" & sleep 1000 &\r`);
    await sees(page, /ready (\d+)/);
    const pid = Number(/ready (\d+)/.exec(page.seen)?.[1]);
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const session = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[3]);
    expect(sessionMembers(session).length).toBeGreaterThan(2);
    await terminals.handlers["terminal.close"]({ id }, page);
    await vi.waitFor(() => expect(sessionMembers(session)).toEqual([]));
  });
});

describe("a flood", () => {
  it("is paced by the window, arrives whole, and leaves little in memory", async () => {
    const { id, page } = await open();
    await write(id, page, "stty -opost; yes | head -c 50000000; echo do''ne\r");
    await vi.waitFor(() => expect(page.seen).toContain("done"), { timeout: 25_000 });
    expect(page.characters).toBeGreaterThan(50_000_000);
    const { printed } = await terminals.handlers["terminal.attach"]({ id }, page);
    expect(printed.length).toBeLessThan(1.5 * 1024 * 1024);
    expect(printed).toContain("done");
  });

  it("waits for a window that is slow, and no longer for one that sleeps", async () => {
    const { id, page } = await open();
    const sleeper = new Page(terminals);
    sleeper.sleeping = true;
    await terminals.handlers["terminal.attach"]({ id }, sleeper);
    await write(id, page, "stty -opost; yes | head -c 3000000; echo do''ne\r");
    await vi.waitFor(() => expect(sleeper.characters).toBeGreaterThan(256 * 1024));
    expect(sleeper.characters).toBeLessThan(1_000_000);
    await vi.waitFor(() => expect(sleeper.behind).toBe(1), { timeout: 10_000 });
    await sees(page, "done");
    expect(sleeper.characters).toBeLessThan(1_000_000);
  });
});

describe("typing for the person", () => {
  it("pastes where the program can tell a paste, and sends nothing", async () => {
    const { id, page } = await open();
    await write(id, page, "PS1='> '; bind 'set enable-bracketed-paste on'; echo rea''dy\r");
    await sees(page, "ready");
    await vi.waitFor(() =>
      expect(page.seen.lastIndexOf("\u001b[?2004h")).toBeGreaterThan(
        page.seen.lastIndexOf("ready"),
      ),
    );
    terminals.type(id, "echo on''e\r\necho tw''o\u001b[201~\u0003");
    await sees(page, /tw''o/);
    await write(id, page, "\u0015\u0015echo en''d\r");
    await sees(page, "end");
    expect(page.seen).not.toMatch(/^(one|two)/m);
  });

  it("stays on one line where it cannot", async () => {
    const { id, page } = await open();
    await write(id, page, "cat -v\r");
    await sees(page, /cat -v[\s\S]*\n/);
    terminals.type(id, "a\nb\u001bc");
    await sees(page, "a b c");
  });
});

describe("opening terminals", () => {
  it("stops at a number that nobody needs", async () => {
    const page = new Page(terminals);
    for (let count = 0; count < 32; count++) await open(page);
    await expect(open(page)).rejects.toThrow("Close one of them first");
  });

  it("says what is wrong with the shell", async () => {
    settings = { ...settings, terminalShell: "/no/such/shell" };
    await expect(open()).rejects.toThrow("Correct terminalShell");
  });

  it("does not run a project's own file as the shell because the project says so", async () => {
    const evil = join(folder, "evil.sh");
    writeFileSync(evil, "#!/bin/sh\n", { mode: 0o755 });
    settings = { ...settings, terminalShell: evil };
    await expect(open()).rejects.toThrow("user settings");
    store.set("settings", { ...store.state.settings, user: { terminalShell: evil } });
    await expect(open()).resolves.toBeDefined();
  });

  it("runs Claude Code in the shell, which stays afterwards", async () => {
    writeFileSync(join(folder, "claude"), "#!/bin/sh\necho I am $0\n", { mode: 0o755 });
    vi.stubEnv("PATH", `${folder}:${process.env.PATH}`);
    const page = new Page(terminals);
    expect(await terminals.handlers["terminal.programs"]({}, page)).toEqual({ claude: true });
    const size = { columns: 80, rows: 24 };
    const { id } = await terminals.handlers["terminal.open"]({ kind: "claude", ...size }, page);
    page.seen += (await terminals.handlers["terminal.attach"]({ id }, page)).printed;
    await sees(page, `I am ${folder}/claude`);
    await write(id, page, "echo st''ill here\r");
    await sees(page, "still here");
  });
});
