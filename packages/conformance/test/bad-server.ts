import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { basename, join } from "node:path";
import type { Duplex } from "node:stream";
import { AUTH_HEADER } from "@lockstep/protocol";
import { WebSocket, WebSocketServer } from "ws";
import type { IdeSubject } from "../src/index.js";
import type { GoodServer } from "./good-server.js";

export type Json = Record<string, unknown>;

/** One thing that a server does wrong. Everything else it does as ours does. */
export interface BadServer {
  readonly name: string;
  /** The clauses that it breaks, and no others; of a process that dies, the first that it breaks. */
  readonly breaks: readonly string[];
  readonly lockMode?: number;
  readonly lockName?: string;
  /** The lock file that it writes. */
  readonly lock?: (lock: Json) => Json;
  /** Changes what an agent asks for with. */
  readonly headers?: (headers: IncomingHttpHeaders, token: string) => IncomingHttpHeaders;
  readonly status?: (status: number) => number;
  /** Refuses every upgrade by this. */
  readonly refuses?: number;
  readonly selects?: false;
  readonly autoPong?: false;
  /** Another agent has come; these were there before. */
  readonly arrives?: (others: readonly WebSocket[]) => void;
  /** False means that the process dies of it. */
  readonly survives?: (text: string) => boolean;
  /** Likewise of an agent that leaves. */
  readonly survivesLeaving?: (about: About) => boolean;
  /** Sees a message of the agent's, and may send something of its own. */
  readonly sees?: (message: Json, send: (message: Json) => void) => void;
  /** Changes a message for the agent; null keeps it back. */
  readonly reply?: (message: Json, about: About) => Json | null;
}

/** What the relay knows of a message for the agent. */
export interface About {
  /** The tool that it answers, if any. */
  readonly tool: string | undefined;
  /** Whether the agent has closed tabs in this connection. */
  readonly closing: boolean;
  /** Whether the agent has proposed something in this connection. */
  readonly proposing: boolean;
}

/** Our server behind a relay that does the one thing wrong. */
export async function startBadServer(
  bad: BadServer,
  good: GoodServer,
): Promise<AsyncDisposable & { readonly subject: IdeSubject }> {
  const { lockFile } = good.subject;
  const upstream = Number(basename(lockFile, ".lock"));
  const lock = JSON.parse(await readFile(lockFile, "utf8")) as Json;
  const http = createServer();
  const agents = new WebSocketServer({
    noServer: true,
    autoPong: bad.autoPong ?? true,
    handleProtocols: ([first]) => bad.selects ?? first!,
  });
  const streams = new Set<Duplex>();
  const die = () => {
    http.close();
    for (const stream of streams) stream.destroy();
  };
  http.on("connection", (stream) => streams.add(stream));
  http.on("upgrade", (request, stream, head) => {
    stream.on("error", () => {});
    if (bad.refuses) return stream.end(`HTTP/1.1 ${bad.refuses} No\r\nConnection: close\r\n\r\n`);
    const editor = dial(upstream, bad, request, String(lock.authToken));
    editor.on("error", () => {});
    editor.once("unexpected-response", (_request, { statusCode = 0 }) => {
      stream.end(
        `HTTP/1.1 ${bad.status?.(statusCode) ?? statusCode} No\r\nConnection: close\r\n\r\n`,
      );
    });
    editor.once("open", () => {
      agents.handleUpgrade(request, stream, head, (agent) => {
        bad.arrives?.([...agents.clients].filter((other) => other !== agent));
        relay(agent, editor, bad, die);
      });
    });
  });
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  const { port } = http.address() as AddressInfo;
  const folder = join(good.home, "relay", "ide");
  await mkdir(folder, { recursive: true });
  const announced = join(folder, bad.lockName ?? `${port}.lock`);
  await writeFile(announced, JSON.stringify(bad.lock?.(lock) ?? lock), {
    mode: bad.lockMode ?? 0o600,
  });
  return {
    subject: { ...good.subject, lockFile: announced },
    async [Symbol.asyncDispose]() {
      die();
    },
  };
}

function dial(port: number, bad: BadServer, request: IncomingMessage, token: string): WebSocket {
  const own = `127.0.0.1:${(request.socket.address() as AddressInfo).port}`;
  const {
    host,
    origin,
    [AUTH_HEADER]: given,
  } = bad.headers?.(request.headers, token) ?? request.headers;
  const headers = {
    host: host === own || host === undefined ? `127.0.0.1:${port}` : host,
    ...(origin === undefined ? {} : { origin }),
    ...(given === undefined ? {} : { [AUTH_HEADER]: String(given) }),
  };
  return new WebSocket(`ws://127.0.0.1:${port}/`, ["mcp"], { headers });
}

function relay(agent: WebSocket, editor: WebSocket, bad: BadServer, die: () => void): void {
  const asked = new Map<unknown, string>();
  const about = (id?: unknown): About => {
    const tools = [...asked.values()];
    const closing = tools.includes("close_tab") || tools.includes("closeAllDiffTabs");
    return { tool: asked.get(id), closing, proposing: tools.includes("openDiff") };
  };
  const send = (message: Json) => agent.send(JSON.stringify(message));
  agent.on("error", () => {});
  agent.on("message", (data) => {
    const text = data.toString();
    if (bad.survives?.(text) === false) return die();
    const message = parse(text);
    if (message.params?.name) asked.set(message.id, message.params.name);
    bad.sees?.(message, send);
    editor.send(text);
  });
  editor.on("message", (data) => {
    const message = JSON.parse(data.toString()) as Json;
    const bent = bad.reply ? bad.reply(message, about(message.id)) : message;
    if (bent) send(bent);
  });
  agent.on("close", () => {
    if (bad.survivesLeaving?.(about()) === false) die();
    editor.terminate();
  });
  editor.on("close", () => agent.terminate());
}

/** What is no object is for the editor to judge. */
function parse(text: string): Json & { readonly params?: { readonly name?: string } } {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}
