import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { findIdes, type Ide, IdeError } from "@lockstep/client";
import { DELAYS_MS, findAgain, openLink } from "@lockstep/client/link";
import { AUTH_HEADER } from "@lockstep/protocol";
import {
  type Entrance,
  openEntrance,
  type Refusal,
  type Selected,
} from "@lockstep/server/entrance";
import type { WebSocket } from "ws";
import { REDACTED } from "../lock-tokens.js";
import { pipe } from "./pipe.js";
import type { Recorder } from "./recorder.js";
import type { Redaction } from "./redaction.js";

export interface TapOptions {
  readonly ide: Ide;
  readonly recorder: Recorder;
  readonly redaction: Redaction;
  readonly configDir: string | undefined;
}

/** For one attempt to reach the editor. */
const ATTEMPT_MS = 10_000;

/** For the editor to hear that its agents have left. */
const GOODBYE_MS = 1_000;

/** What ws says of an editor that selects no subprotocol. */
const NO_SUBPROTOCOL = "Server sent no subprotocol";

/**
 * Stands between agents and an editor: agents come in by an entrance of its own, and for each of them
 * it connects to the editor before it lets them in, so that they see what they would see of the editor.
 */
export class Tap implements AsyncDisposable {
  readonly #options: TapOptions;
  /** Connected to the editor, for an agent whose upgrade is being answered. */
  readonly #links = new WeakMap<IncomingMessage, WebSocket>();
  /** Of the agents that are in. */
  readonly #joined = new Set<WebSocket>();
  #ide: Ide;
  #connections = 0;
  #lose: (why: Error) => void = () => {};

  /** Resolves with the reason when an agent waited in vain for the editor. */
  readonly lost = new Promise<Error>((resolve) => {
    this.#lose = resolve;
  });
  #entrance: Entrance | undefined;

  private constructor(options: TapOptions) {
    this.#options = options;
    this.#ide = options.ide;
  }

  static async open(options: TapOptions): Promise<Tap> {
    const { ide, recorder, configDir, redaction } = options;
    const tap = new Tap(options);
    tap.#entrance = await openEntrance({
      ideName: ide.name,
      // Two lock files with one folder would make agents choose neither; this one is found by its port.
      workspaceFolders: [],
      configDir,
      onKnock: (request) => tap.#knocked(request),
      onAgent: (socket, request) => tap.#joinedBy(socket, request),
      report: (problem) => void recorder.record(0, "tap", { kind: "note", text: String(problem) }),
    });
    redaction.hide(tap.entrance.token);
    return tap;
  }

  get entrance(): Entrance {
    if (!this.#entrance) throw new Error("The tap is not open yet");
    return this.#entrance;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#entrance?.close();
    const goodbyes = [...this.#joined].map((ide) => once(ide, "close"));
    await Promise.race([Promise.all(goodbyes), pause(GOODBYE_MS, undefined, { ref: false })]);
    for (const ide of this.#joined) ide.terminate();
  }

  /** Reaches the editor for an agent, which waits for that as long as it likes to. */
  async #knocked(request: IncomingMessage): Promise<Selected | Refusal> {
    const leaving = new AbortController();
    const leave = () => leaving.abort();
    request.socket.once("close", leave);
    try {
      const link = await this.#reach(offeredBy(request), request, leaving.signal);
      this.#links.set(request, link);
      // An agent that leaves before it was let in must not leave a connection behind.
      request.socket.once("close", () => {
        if (this.#links.get(request) === link) link.terminate();
      });
      if (leaving.signal.aborted) link.terminate();
      return { subprotocol: link.protocol };
    } catch (error) {
      const why = (error as Error).message;
      if (!leaving.signal.aborted) {
        void this.#options.recorder.record(0, "tap", { kind: "note", text: why });
        this.#lose(error as Error);
      }
      return { status: 502, message: `The editor cannot be reached: ${why}` };
    } finally {
      request.socket.off("close", leave);
    }
  }

  #joinedBy(agent: WebSocket, request: IncomingMessage): void {
    const ide = this.#links.get(request);
    this.#links.delete(request);
    if (!ide) {
      agent.terminate();
      return;
    }
    const { recorder, redaction } = this.#options;
    const connection = ++this.#connections;
    void recorder.record(connection, "agent", {
      kind: "open",
      subprotocol: offeredBy(request).join(", "),
      headers: shownHeaders(request),
    });
    void recorder.record(connection, "ide", {
      kind: "open",
      subprotocol: ide.protocol,
      headers: {},
    });
    this.#joined.add(ide);
    ide.once("close", () => this.#joined.delete(ide));
    pipe(agent, ide, { connection, recorder, redaction });
    ide.resume();
  }

  /** By the client's rules: one that is away may come back, one that says no does not change its mind. */
  async #reach(
    protocols: readonly string[],
    request: IncomingMessage,
    signal: AbortSignal,
  ): Promise<WebSocket> {
    const { configDir, redaction } = this.#options;
    let why: unknown;
    for (const delay of DELAYS_MS) {
      await pause(delay, undefined, { signal });
      try {
        const ides = await findIdes({ configDir });
        for (const { token } of ides) redaction.hide(token());
        const ide = findAgain(this.#ide, ides);
        const link = await connectAs(request, ide, protocols, signal);
        this.#ide = ide;
        return link;
      } catch (error) {
        const code = error instanceof IdeError ? error.code : undefined;
        if (signal.aborted || (code !== "unreachable" && code !== "none-found")) throw error;
        why = error;
      }
    }
    throw new IdeError("gave-up", `${this.#ide.name} did not come back.`, { cause: why });
  }
}

/** As the agent itself would: with what it offers, and under its name. */
async function connectAs(
  request: IncomingMessage,
  ide: Ide,
  protocols: readonly string[],
  signal: AbortSignal,
): Promise<WebSocket> {
  const agent = request.headers["user-agent"];
  const headers: Record<string, string> = agent === undefined ? {} : { "User-Agent": agent };
  const options = {
    headers,
    timeoutMs: ATTEMPT_MS,
    signal,
    autoPong: false,
  };
  try {
    return await openLink(ide, { ...options, protocols });
  } catch (error) {
    const { cause } = error as Error;
    if (!(cause instanceof Error) || cause.message !== NO_SUBPROTOCOL) throw error;
    return openLink(ide, { ...options, protocols: [] });
  }
}

function offeredBy(request: IncomingMessage): readonly string[] {
  const offered = request.headers["sec-websocket-protocol"] ?? "";
  return offered
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

/** What proves who somebody is stays out, whatever it is. */
const SECRET_HEADERS: ReadonlySet<string> = new Set([AUTH_HEADER, "authorization", "cookie"]);

function shownHeaders({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      SECRET_HEADERS.has(name) ? REDACTED : String(value),
    ]),
  );
}
