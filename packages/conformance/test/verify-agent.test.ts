import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type ClientOptions, WebSocket } from "ws";
import { AGENT_CHECKS, type Result, ScriptedIde, verifyAgent } from "../src/index.js";

type Json = Record<string, unknown>;

/** What an agent does, each part of it replaceable by something wrong. */
interface Behaviour {
  readonly protocols?: string[];
  readonly options?: (token: string) => ClientOptions;
  readonly version?: string;
  /** Said after initialize. */
  readonly hello?: readonly Json[];
  readonly answers?: (message: Json) => Json | undefined;
  readonly hears?: (text: string, socket: WebSocket) => void;
  readonly relistens?: false;
  readonly comesBack?: false;
}

const HELLO: readonly Json[] = [
  { method: "notifications/initialized" },
  { method: "ide_connected", params: { pid: process.pid } },
  { id: 1, method: "tools/list" },
];

function answer({ id, method }: Json): Json {
  if (method === "ping") return { id, result: {} };
  return { id, error: { code: -32601, message: "Method not found" } };
}

function startAgent(ide: ScriptedIde, behaviour: Behaviour = {}): void {
  const { protocols = ["mcp"], version = "2025-06-18", hello = HELLO } = behaviour;
  const { answers = answer, options = withToken } = behaviour;
  const socket = new WebSocket(`ws://127.0.0.1:${ide.port}/`, protocols, options(ide.token));
  const send = (message: Json) => socket.send(JSON.stringify({ jsonrpc: "2.0", ...message }));
  socket.on("error", () => {});
  socket.on("open", () => {
    const params = { protocolVersion: version, clientInfo: { name: "an-agent" } };
    send({ id: 0, method: "initialize", params });
    for (const message of hello) send(message);
  });
  socket.on("message", (data) => {
    behaviour.hears?.(data.toString(), socket);
    const message = parse(data.toString());
    if (message?.method === "notifications/tools/list_changed" && behaviour.relistens !== false)
      send({ id: 2, method: "tools/list" });
    if (typeof message?.method !== "string" || message.id === undefined) return;
    const reply = answers(message);
    if (reply) send(reply);
  });
  socket.on("close", () => {
    if (behaviour.comesBack !== false) startAgent(ide, { ...behaviour, comesBack: false });
  });
}

const withToken = (token: string): ClientOptions => ({
  headers: { "x-claude-code-ide-authorization": token },
});

function parse(text: string): Json | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

async function verify(behaviour: Behaviour | null): Promise<readonly Result[]> {
  const configDir = await mkdtemp(join(tmpdir(), "lockstep-verify-"));
  const results: Result[] = [];
  {
    await using ide = await ScriptedIde.start({ configDir, folder: "/p" });
    if (behaviour) startAgent(ide, behaviour);
    const patience = { startMs: behaviour ? 2_000 : 10, answerMs: 2_000 };
    for await (const result of verifyAgent(ide, patience)) results.push(result);
  }
  await rm(configDir, { recursive: true });
  return results;
}

const broken = (results: readonly Result[]) =>
  results.filter(({ verdict }) => verdict.kind === "fail").map(({ clause }) => clause);

/** An agent for each clause that breaks it, and what goes with that. */
const BAD_AGENTS: readonly (Behaviour & { name: string; breaks: readonly string[] })[] = [
  { name: "no subprotocol", breaks: ["C9"], protocols: [] },
  { name: "no token", breaks: ["C58", "C52"], options: () => ({}) },
  {
    name: "an Origin",
    breaks: ["C62"],
    options: (token) => ({ ...withToken(token), origin: "https://agent.example" }),
  },
  { name: "a version that does not exist", breaks: ["C20"], version: "1.0" },
  { name: "no ide_connected", breaks: ["C21"], hello: [HELLO[0]!, HELLO[2]!] },
  { name: "ide_connected too early", breaks: ["C21"], hello: [HELLO[1]!, HELLO[0]!, HELLO[2]!] },
  { name: "no second look at the tools", breaks: ["C22"], relistens: false },
  {
    name: "no pongs",
    breaks: ["C11"],
    options: (token) => ({ ...withToken(token), autoPong: false }),
  },
  {
    name: "no answer to ping",
    breaks: ["C17", "C23"],
    answers: (message) => (message.method === "ping" ? undefined : answer(message)),
  },
  {
    name: "a result for anything",
    breaks: ["C18"],
    answers: ({ id }) => ({ id, result: {} }),
  },
  {
    name: "an end at a bare null",
    breaks: ["C23"],
    hears: (text, socket) => {
      if (text === "null") socket.terminate();
    },
  },
  { name: "no second connection", breaks: ["C52"], comesBack: false },
];

describe.concurrent("verifyAgent", () => {
  it("finds nothing wrong with an agent that does it all", async () => {
    const results = await verify({});
    expect(results.filter(({ verdict }) => verdict.kind !== "pass")).toEqual([]);
    expect(results.map(({ clause }) => clause)).toEqual(AGENT_CHECKS.map(({ clause }) => clause));
  });

  it("finds that no agent came, without waiting again for each clause", async () => {
    expect(broken(await verify(null))).toEqual(AGENT_CHECKS.map(({ clause }) => clause));
  });

  for (const { name, breaks, ...behaviour } of BAD_AGENTS) {
    it(`finds ${name}, and nothing else`, async () => {
      expect(broken(await verify(behaviour))).toEqual(breaks);
    });
  }
});

describe("the scripted editor", () => {
  it("announces itself as an editor does, and leaves no trace", async () => {
    const configDir = await mkdtemp(join(tmpdir(), "lockstep-verify-"));
    const ide = await ScriptedIde.start({ configDir, folder: "/p" });
    expect(ide.lockFile).toBe(join(configDir, "ide", `${ide.port}.lock`));
    expect((await stat(ide.lockFile)).mode & 0o777).toBe(0o600);
    expect(JSON.parse(await readFile(ide.lockFile, "utf8"))).toMatchObject({
      pid: process.pid,
      workspaceFolders: ["/p"],
      transport: "ws",
      authToken: ide.token,
    });
    expect(ide.environment.CLAUDE_CODE_SSE_PORT).toBe(String(ide.port));
    await ide[Symbol.asyncDispose]();
    expect(await readdir(join(configDir, "ide"))).toEqual([]);
    await rm(configDir, { recursive: true });
  });
});
