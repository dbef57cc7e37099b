import type { Duplex } from "node:stream";
import type { Agent } from "@lockstep/editor";
import {
  CallToolParams,
  ErrorCode,
  errorResult,
  IdeConnected,
  type Incoming,
  InitializeParams,
  invalidParams,
  methodNotFound,
  Notification,
  negotiateVersion,
  Peer,
  type PeerLimits,
  type Profile,
  type ProtocolVersion,
  profileOf,
  RpcError,
  type ToolResult,
  type VaultMethodName,
} from "@lockstep/protocol";
import type { WebSocket } from "ws";
import type { Core } from "../../core/core.js";
import type { Session } from "../../core/session.js";
import { ToolFailure } from "../../errors.js";
import { Outbox } from "../../outbox/outbox.js";
import { VERSION } from "../../version.js";
import { Keepalive, type KeepaliveTiming } from "./keepalive.js";
import { Push } from "./push.js";
import type { Dialect } from "./tool.js";
import type { Toolbox } from "./toolbox.js";
import { answerVault, isVaultMethod } from "./vault/vault.js";
import type { VaultOptions } from "./vault/vault-method.js";

/** One message on the wire, as it is. It may hold what the person has selected, never the token. */
export interface TraceEvent {
  /** Tells the connections of one server apart, in the order of their coming. */
  readonly connection: number;
  /** Who is at the other end; null until it has introduced itself. */
  readonly agent: Agent | null;
  readonly direction: "in" | "out";
  readonly text: string;
}

export interface ConnectionOptions {
  readonly serverName: string;
  readonly toolbox: Toolbox;
  readonly dialect: Dialect;
  readonly activeEditorAlways: boolean;
  readonly vault: VaultOptions;
  readonly keepalive: KeepaliveTiming | false;
  readonly trace?: (event: TraceEvent) => void;
  readonly number: number;
}

/** Many times what an agent has under way; their characters are those of a few huge proposals. */
const LIMITS: PeerLimits = { requests: 256, characters: 256 * 1024 * 1024 };

/** One agent on its WebSocket, speaking MCP. */
export class Connection {
  readonly #core: Core;
  readonly #socket: WebSocket;
  readonly #options: ConnectionOptions;
  readonly #peer: Peer;
  readonly #outbox: Outbox;
  readonly #keepalive: Keepalive | undefined;
  #introduced: Introduced | undefined;
  #version: ProtocolVersion | undefined;

  /** Resolves when the socket has closed. */
  readonly closed: Promise<void>;

  constructor(core: Core, socket: WebSocket, stream: Duplex, options: ConnectionOptions) {
    const { keepalive } = options;
    this.#core = core;
    this.#socket = socket;
    this.#options = options;
    this.#outbox = new Outbox(socket, stream, () => this.#introduced?.push.wake());
    this.#peer = new Peer({
      send: (text) => {
        this.#trace("out", text);
        this.#outbox.send(text);
      },
      onRequest: (method, params, incoming) => this.#answer(method, params, incoming),
      onNotification: (method, params) => this.#notified(method, params),
      limits: LIMITS,
      acceptsBatch: () => this.#version === "2025-03-26",
      onFault: core.report,
    });
    socket.on("message", (data) => {
      const text = data.toString();
      this.#trace("in", text);
      this.#peer.receive(text);
    });
    // A protocol error of the peer; ws closes the connection with the right code by itself.
    socket.on("error", () => {});
    this.closed = new Promise((resolve) => {
      socket.on("close", () => resolve(this.#end("disconnected")));
    });
    if (keepalive) this.#keepalive = this.#keepAlive(keepalive);
  }

  /** Drops the agent. Its open proposals stay unanswered: the editor's end is not the person's no. */
  async stop(): Promise<void> {
    const ended = this.#end("stopping");
    this.#socket.close(1001, "The editor is stopping");
    const impatient = setTimeout(() => this.#socket.terminate(), 1_000);
    await Promise.all([ended, this.closed]);
    clearTimeout(impatient);
  }

  async #end(why: "disconnected" | "stopping"): Promise<void> {
    this.#keepalive?.stop();
    this.#introduced?.push.close();
    const ended = this.#introduced && this.#core.end(this.#introduced.session, why);
    // In the same turn, so that no withdrawal above goes out as an answer.
    this.#peer.close();
    await ended;
  }

  /** A host that looks on and stumbles must not take the agent down with it. */
  #trace(direction: TraceEvent["direction"], text: string): void {
    const { trace, number } = this.#options;
    if (!trace) return;
    try {
      trace({
        connection: number,
        agent: this.#introduced?.session.agent ?? null,
        direction,
        text,
      });
    } catch (error) {
      this.#core.report(error);
    }
  }

  #answer(method: string, params: unknown, incoming: Incoming): unknown {
    switch (method) {
      case "initialize":
        return this.#initialize(params);
      case "ping":
        return {};
      case "tools/list":
        return { tools: this.#options.toolbox.list(this.#core.editor.abilities) };
      case "tools/call":
        return this.#callTool(params, incoming);
      case "prompts/list":
        return { prompts: [] };
      case "resources/list":
        return { resources: [] };
      case "resources/templates/list":
        return { resourceTemplates: [] };
      default:
        if (isVaultMethod(method)) return this.#answerVault(method, params, incoming);
        throw methodNotFound();
    }
  }

  #notified(method: string, params: unknown): void {
    if (method !== Notification.initialized && method !== Notification.ideConnected) return;
    this.#introduced?.push.arm();
    const { data } = IdeConnected.safeParse(params);
    if (data?.isPluginVersionUnsupported) this.#introduced?.session.tell("outdated");
  }

  #initialize(params: unknown): unknown {
    const { data, error } = InitializeParams.safeParse(params ?? {});
    if (error) throw invalidParams("initialize takes protocolVersion and clientInfo");
    const version = negotiateVersion(data.protocolVersion);
    if (!this.#version) this.#forgetStranger();
    this.#version = version;
    this.#introduce(data.clientInfo);
    return {
      protocolVersion: version,
      capabilities: { tools: { listChanged: true } },
      serverInfo: { name: this.#options.serverName, version: VERSION },
    };
  }

  /** From here on there is a session. Vault clients skip initialize, so it may come late or never. */
  #introduce({ name, title }: { name?: string; title?: string } = {}): Introduced {
    if (!this.#introduced) {
      const session = this.#core.begin(title ?? name ?? "An agent");
      const ready = () => this.#outbox.ready;
      const profile = profileOf(name);
      const options = { ...this.#options, profile };
      const push = new Push(this.#core, session, this.#peer, ready, options);
      this.#introduced = { session, push, profile };
    }
    return this.#introduced;
  }

  /** Somebody used the vault without a name, and now tells it: as another agent, with its own profile. */
  #forgetStranger(): void {
    if (!this.#introduced) return;
    const { session, push } = this.#introduced;
    push.close();
    void this.#core.end(session, "disconnected").catch(this.#core.report);
    this.#introduced = undefined;
  }

  #answerVault(method: VaultMethodName, params: unknown, incoming: Incoming): Promise<unknown> {
    const { session } = this.#introduce();
    return answerVault(method, params, { session, options: this.#options.vault, scope: incoming });
  }

  #callTool(params: unknown, incoming: Incoming): ToolResult | Promise<ToolResult> {
    if (!this.#introduced || !this.#version) {
      throw new RpcError(ErrorCode.invalidRequest, "Invalid request: send initialize first");
    }
    const { data } = CallToolParams.safeParse(params);
    if (!data) throw invalidParams("tools/call takes a name and an object of arguments");
    const { session, profile } = this.#introduced;
    const { toolbox, dialect } = this.#options;
    const context = { session, profile, dialect, incoming };
    const result = toolbox.call(data.name, data.arguments ?? {}, context);
    return result instanceof Promise ? result.catch(failureResult) : result;
  }

  #keepAlive(timing: KeepaliveTiming): Keepalive {
    return new Keepalive({
      ...timing,
      ping: () =>
        this.#peer.request("ping").catch((error) => {
          if (!(error instanceof RpcError)) throw error;
        }),
      socketPing: () =>
        new Promise((resolve) => {
          this.#socket.once("pong", resolve);
          this.#socket.ping();
        }),
      onDead: () => this.#socket.terminate(),
    });
  }
}

/** What is known of an agent from its initialize on. */
interface Introduced {
  readonly session: Session;
  readonly push: Push;
  readonly profile: Profile;
}

function failureResult(error: unknown): ToolResult {
  if (error instanceof ToolFailure) return errorResult(error.message);
  throw error;
}
