import { mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Agent, Mention } from "@lockstep/editor";
import { fileUri } from "@lockstep/protocol";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Events } from "../contract/index.js";
import { initialState } from "../state/initial-state.js";
import { Store } from "../state/store.js";
import type { Window } from "../windows/window.js";
import { Agents } from "./agents.js";

const CLAUDE: Agent = { id: "a1", name: "Claude Code" };
const onClose = () => ({ [Symbol.dispose]: () => {} });
const window: Window = { number: 1, send: () => {}, onClose };

let folder: string;
let store: Store;
let agents: Agents;
let mentions: Mention[];
let news: string[];
let processes: Map<number, string>;

async function open(): Promise<Agents> {
  const heard = news;
  const broadcast = (name: keyof Events, event: unknown) => {
    if (name === "agent.logged") heard.push((event as Events["agent.logged"]).agent);
  };
  return Agents.open(
    { store, folders: ["/p"], stateDir: folder, report: () => {}, broadcast },
    {
      mention: (mention) => void mentions.push(mention),
      terminalOf: (pid) => processes.get(pid) ?? null,
    },
  );
}
beforeEach(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "agents-")));
  store = new Store(initialState(folder));
  mentions = [];
  news = [];
  processes = new Map();
  agents = await open();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function wire(direction: "in" | "out", message: unknown, agent: Agent | null = CLAUDE): void {
  const text = typeof message === "string" ? message : JSON.stringify(message);
  agents.trace({ connection: 1, direction, text, agent });
}
const rpc = (message: object) => ({ jsonrpc: "2.0", ...message });
const log = async (agent = CLAUDE, after = 0) =>
  agents.handlers["agent.log"]({ agent: agent.id, after }, window);
const titles = async (agent = CLAUDE) => (await log(agent)).map(({ title }) => title);

describe("the agents", () => {
  it("are in the list from their first event on, under a name that is safe to show", () => {
    agents.activity({ kind: "connected", agent: { id: "x", name: "Cla\u202eude\u001b[2J" } });
    const info = store.state.agents.x;
    expect(info).toMatchObject({ name: "Cla\ufffdude\ufffd[2J", left: null, outdated: false });
    agents.activity({ kind: "outdated", agent: { id: "x", name: "" } });
    expect(store.state.agents.x).toEqual({ ...info, outdated: true });
  });

  it("stay for a while after they left, the last ten of them", async () => {
    for (let count = 0; count < 15; count++) {
      const agent = { id: `a${count}`, name: "A" };
      agents.activity({ kind: "connected", agent });
      vi.useFakeTimers({ now: Date.now() + 1_000 * count, toFake: ["Date"] });
      agents.activity({ kind: "left", agent });
      vi.useRealTimers();
    }
    agents.activity({ kind: "connected", agent: { id: "here", name: "A" } });
    const kept = Object.keys(store.state.agents);
    expect(kept).toEqual([...Array(10).keys()].map((n) => `a${n + 5}`).concat("here"));
    expect(await titles({ id: "a0", name: "" })).toEqual([]);
    expect(await titles({ id: "a14", name: "" })).toEqual(["connected", "left"]);
  });

  it("are found in the terminal that they run in, until they leave", () => {
    const shell = { kind: "shell", title: "bash" } as const;
    const terminal = { ...shell, id: "t", exitCode: null, agent: null };
    store.put("terminals", "t", terminal);
    processes.set(77, "t");
    for (const pid of [-1, 0.5, "77", null, 78]) {
      wire("in", rpc({ method: "ide_connected", params: { pid } }));
      expect(store.state.terminals.t?.agent).toBeNull();
    }
    wire("in", rpc({ method: "ide_connected", params: { pid: 77 } }));
    expect(store.state.terminals.t?.agent).toBe("a1");

    agents.activity({ kind: "left", agent: CLAUDE });
    expect(store.state.terminals.t?.agent).toBeNull();
  });
});

describe("the reason of a rejection", () => {
  const typed: string[] = [];
  const type = (id: string, text: string) => void typed.push(`${id}: ${text}`);
  const closeTab = () =>
    wire("in", rpc({ id: 9, method: "tools/call", params: { name: "close_tab" } }));
  const notices = () => Object.values(store.state.notices).map(({ text }) => text);

  beforeEach(() => {
    typed.length = 0;
    const terminal = {
      id: "t",
      title: "bash",
      kind: "shell",
      exitCode: null,
      agent: "a1",
    } as const;
    store.put("terminals", "t", terminal);
    agents.activity({ kind: "connected", agent: CLAUDE });
  });

  it("is typed at the agent's prompt, but not while a key could still mean yes there", async () => {
    expect(agents.deliverReason(CLAUDE, "1. too long", type)).toBe("typed");
    wire("out", rpc({ id: 3, result: { content: [{ type: "text", text: "DIFF_REJECTED" }] } }));
    expect(typed).toEqual([]);
    closeTab();
    closeTab();
    expect(typed).toEqual([]);
    await vi.waitFor(() => expect(typed).toEqual(["t: 1. too long"]));
    expect(notices()).toEqual([]);
  });

  it("is to be copied where the agent runs in no terminal of ours", () => {
    expect(agents.deliverReason({ id: "a2", name: "B" }, "no", type)).toBe("copy");
  });

  it("is shown where the agent left before it could be typed", () => {
    agents.deliverReason(CLAUDE, "too long", type);
    agents.activity({ kind: "left", agent: CLAUDE });
    expect(notices()).toEqual([expect.stringContaining("into its prompt: too long")]);
    expect(agents.deliverReason(CLAUDE, "too late", type)).toBe("copy");
    closeTab();
    expect(typed).toEqual([]);
  });

  it("is shown where the agent does not take its question back", () => {
    vi.useFakeTimers();
    agents.deliverReason(CLAUDE, "too long", type);
    vi.advanceTimersByTime(10_000);
    vi.useRealTimers();
    expect(notices()).toHaveLength(1);
    expect(typed).toEqual([]);
  });
});

describe("the log", () => {
  it("says what was sent, in words", async () => {
    const selection = { start: { line: 2, character: 0 }, end: { line: 7, character: 0 } };
    const about = { text: "x", filePath: "/p/src/a.ts", fileUrl: "file:///p/src/a.ts" };
    const notify = (method: string, params: object) => wire("out", rpc({ method, params }));
    notify("selection_changed", { ...about, selection: { ...selection, isEmpty: false } });
    notify("selection_changed", { ...about, selection: { ...selection, isEmpty: true } });
    notify("at_mentioned", { filePath: "/elsewhere/b.ts", lineStart: 3, lineEnd: 3 });
    notify("diagnostics_changed", { uris: ["file:///p/a.ts", "file:///p/b.ts"] });
    notify("diagnostics_changed", { uris: ["file:///p/ü b.ts"] });
    wire("out", rpc({ id: 5, method: "ping" }));
    wire("in", rpc({ id: 5, result: {} }));
    expect(await titles()).toEqual([
      "selection_changed src/a.ts, lines 3 to 7",
      "selection_changed src/a.ts",
      "at_mentioned /elsewhere/b.ts, line 4",
      "diagnostics_changed 2 files",
      "diagnostics_changed ü b.ts",
    ]);
    expect((await log()).map(({ kind }) => kind)).toEqual(Array(5).fill("sent"));
  });

  it("says what was called, how it ended and after how long", async () => {
    const call = (id: number, name: string, args: object) =>
      wire("in", rpc({ id, method: "tools/call", params: { name, arguments: args } }));
    wire("in", rpc({ id: 0, method: "tools/list" }));
    call(1, "openDiff", { new_file_path: "/p/a.ts", new_file_contents: "x" });
    call(2, "close_tab", { tab_name: "a\u001b]0;x" });
    wire("in", rpc({ id: "v", method: "readFile", params: { path: "notes.md" } }));
    wire("out", rpc({ id: 0, result: { tools: [] } }));
    wire("out", rpc({ id: 2, result: { content: [], isError: true } }));
    wire("out", rpc({ id: "v", error: { code: -1, message: "no" } }));
    expect(await log()).toMatchObject([
      { kind: "called", title: "tools/list", outcome: "done" },
      { kind: "called", title: "openDiff a.ts", outcome: "waiting" },
      { kind: "called", title: "close_tab a\ufffd]0;x", outcome: "failed" },
      { kind: "called", title: "readFile notes.md", outcome: "failed" },
    ]);
    wire("out", rpc({ id: 1, result: { content: [{ type: "text", text: "FILE_SAVED" }] } }));
    const [, diff] = await log();
    expect(diff).toMatchObject({ outcome: "done", milliseconds: expect.any(Number) });
  });

  it("ends a call that the agent takes back: it gets no answer", async () => {
    wire("in", rpc({ id: 1, method: "tools/call", params: { name: "openDiff" } }));
    wire("in", rpc({ method: "notifications/cancelled", params: { requestId: 1 } }));
    expect((await log())[0]).toMatchObject({ title: "openDiff", outcome: "failed" });
  });

  it("ends the calls of an agent that left", async () => {
    wire("in", rpc({ id: 1, method: "tools/call", params: { name: "openDiff" } }));
    agents.activity({ kind: "left", agent: CLAUDE });
    expect((await log())[0]).toMatchObject({ outcome: "failed" });
  });

  it("says what was withheld and why, once", async () => {
    const uri = fileUri("/p/.env");
    for (let count = 0; count < 3; count++) {
      agents.activity({ kind: "withheld", agent: CLAUDE, uri, why: "denied-here" });
    }
    agents.activity({ kind: "withheld", agent: CLAUDE, uri, why: "sharing-is-off" });
    expect(await titles()).toEqual([
      ".env: it holds secrets, or your settings keep it private",
      ".env: sharing is switched off",
    ]);
  });

  it("keeps calls while selections stream, and no more than it needs", async () => {
    wire("in", rpc({ id: 1, method: "tools/list" }));
    const params = { text: "", filePath: "/p/a.ts", selection: null };
    for (let count = 0; count < 3_000; count++) {
      wire("out", rpc({ method: "selection_changed", params }));
    }
    const entries = await log();
    expect(entries[0]?.title).toBe("tools/list");
    expect(entries.length).toBeLessThan(700);
    expect(entries.at(-1)?.number).toBe(3_001);
    expect(await log(CLAUDE, 3_000)).toHaveLength(1);
  });

  it("tells windows of news at once, then a few times a second", async () => {
    for (let count = 0; count < 1_000; count++) wire("out", rpc({ method: "x" }));
    expect(news).toEqual(["a1"]);
    await vi.waitFor(() => expect(news).toEqual(["a1", "a1"]));
  });

  it("takes a message of 50 MB for what it is, without keeping it", async () => {
    const contents = `"method":"x","id":9 \\" `.repeat(1_500_000);
    const args = {
      old_file_path: "/p/a.ts",
      new_file_path: "/p/a.ts",
      new_file_contents: contents,
    };
    const params = { name: "openDiff", arguments: args, _meta: { progressToken: 3 } };
    // As they come from a socket: in one piece of memory.
    const flat = (message: object) => Buffer.from(JSON.stringify(message)).toString();
    const ask = flat({ method: "tools/call", params, jsonrpc: "2.0", id: 3 });
    const text = { type: "text", text: contents };
    const answer = flat(rpc({ id: 3, result: { content: [text] } }));
    expect(ask.length).toBeGreaterThan(40_000_000);
    wire("in", ask);
    wire("out", answer);
    const [entry] = await log();
    expect(entry).toMatchObject({ title: "openDiff a.ts", outcome: "done" });
    expect(entry?.detail.length).toBeLessThan(2_200);
  });

  it("shrugs at what is no message", async () => {
    for (const text of ["", "null", "[[]]", "{", '{"jsonrpc":"2.0"}', "x".repeat(100_000)]) {
      wire("in", text);
      wire("out", text);
    }
    wire("in", rpc({ id: 1, method: "tools/call" }), null);
    wire("out", rpc({ id: 77, result: {} }));
    expect(await titles()).toEqual([]);
    wire("in", [rpc({ id: 1, method: "tools/list" }), rpc({ method: "x" })]);
    expect(await titles()).toEqual(["tools/list", "x"]);
  });
});

describe("the sharing switch", () => {
  it("holds at once, and stays off over restarts", async () => {
    const server = { port: 1, lockFiles: ["/l/1.lock"], sharing: false };
    agents.attach(server);
    expect(server.sharing).toBe(true);
    expect(store.state.endpoint).toEqual({ port: 1, lockFile: "/l/1.lock" });
    const set = agents.handlers["sharing.set"]({ on: false }, window);
    expect(server.sharing).toBe(false);
    expect(store.state.sharing.on).toBe(false);
    await set;
    agents = await open();
    expect(agents.sharing).toBe(false);
    const next = { port: 2, lockFiles: [], sharing: true };
    agents.attach(next);
    expect(next.sharing).toBe(false);
    expect(readdirSync(folder)).toEqual(["sharing.json"]);
  });

  it("is off where nobody can tell how it was", async () => {
    writeFileSync(join(folder, "sharing.json"), "{");
    expect((await open()).sharing).toBe(false);
  });

  it("holds and says so where it cannot be saved", async () => {
    rmSync(folder, { recursive: true });
    await expect(agents.handlers["sharing.set"]({ on: false }, window)).rejects.toThrow("off now");
    expect(agents.sharing).toBe(false);
  });

  it("stands beside what agents see", () => {
    agents.sees({ kind: "file", uri: fileUri("/p/a.ts"), label: "a.ts" });
    expect(store.state.sharing).toEqual({
      on: true,
      sight: { kind: "file", uri: "file:///p/a.ts", label: "a.ts" },
    });
  });
});

describe("a mention", () => {
  it("reaches the agents that are there", async () => {
    agents.activity({ kind: "connected", agent: CLAUDE });
    const uri = fileUri("/p/a.ts");
    const mention = agents.handlers.mention;
    expect(await mention({ uri, lines: { first: 1, last: 2 } }, window)).toEqual({ agents: 1 });
    expect(await mention({ uri }, window)).toEqual({ agents: 1 });
    expect(() => mention({ uri, lines: { first: 2, last: 1 } }, window)).toThrow("first line");
    expect(mentions).toEqual([
      { kind: "mention", uri, lines: { first: 1, last: 2 } },
      { kind: "mention", uri },
    ]);
  });
});

describe("a question", () => {
  const question = { title: "Run it?", detail: "rm -rf /\n" };
  const call = () => ({ agent: CLAUDE, abort: new AbortController() });
  const asked = () => Object.values(store.state.questions);

  it("waits for the person, in front of every window", async () => {
    for (const yes of [true, false]) {
      const { agent, abort } = call();
      const answer = agents.confirm(question, { agent, signal: abort.signal });
      const [shown] = asked();
      expect(shown).toMatchObject({ agent: "Claude Code", ...question });
      await agents.handlers["question.answer"]({ id: shown!.id, yes }, window);
      await agents.handlers["question.answer"]({ id: shown!.id, yes: !yes }, window);
      expect(await answer).toBe(yes);
      expect(asked()).toEqual([]);
    }
  });

  it("is shown without what could turn it into another", async () => {
    const { agent, abort } = call();
    const disguised = { title: "Open \u2067a\n?", detail: "It opens\n/etc/\u202efdp\u001b[2J" };
    const answer = agents.confirm(disguised, { agent, signal: abort.signal });
    const detail = "It opens\n/etc/\ufffdfdp\ufffd[2J";
    expect(asked()).toMatchObject([{ title: "Open \ufffda\ufffd?", detail }]);
    abort.abort();
    await answer;
  });

  it("goes when nobody waits for the answer any more", async () => {
    const { agent, abort } = call();
    const answer = agents.confirm(question, { agent, signal: abort.signal });
    abort.abort();
    expect(await answer).toBe(false);
    expect(asked()).toEqual([]);
    expect(await agents.confirm(question, { agent, signal: abort.signal })).toBe(false);
  });

  it("is answered no when an agent asks too much at once", async () => {
    const { agent, abort } = call();
    const all = Array.from({ length: 12 }, () =>
      agents.confirm(question, { agent, signal: abort.signal }),
    );
    expect(asked()).toHaveLength(10);
    abort.abort();
    expect(await Promise.all(all)).toEqual(Array(12).fill(false));
  });
});
