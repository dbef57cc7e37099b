import {
  AUTH_HEADER,
  LATEST_PROTOCOL_VERSION,
  methodNotFound,
  Notification,
  Peer,
  type RequestOptions,
  SUBPROTOCOL,
  ToolResult,
} from "@lockstep/protocol";
import { WebSocket } from "ws";
import * as z from "zod/mini";
import { IdeError } from "./errors.js";
import type { Ide } from "./ide.js";

export interface ConnectOptions {
  readonly signal?: AbortSignal;
  /** For the connection and its handshake together. */
  readonly timeoutMs?: number;
  readonly clientName?: string;
  readonly onNotification?: (method: string, params: unknown) => void;
}

export interface IdeConnection extends AsyncDisposable {
  readonly ide: Ide;
  readonly serverName: string;
  /** Calls any tool by its name. A tool that fails answers with `isError`; it does not throw. */
  call(tool: string, args?: object, options?: RequestOptions): Promise<ToolResult>;
  tools(options?: RequestOptions): Promise<readonly ToolDescription[]>;
  /** Resolves when the connection has ended, by either side. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

const ToolDescription = z.object({
  name: z.string(),
  description: z.optional(z.string()),
  inputSchema: z.optional(z.unknown()),
});
export type ToolDescription = z.infer<typeof ToolDescription>;

const Initialized = z.object({ serverInfo: z.optional(z.object({ name: z.string() })) });
const ToolList = z.object({ tools: z.array(ToolDescription) });

/**
 * Connects to an IDE as an agent does.
 *
 * @example
 * const connection = await connect(chooseIde(await findIdes()));
 * const { content } = await connection.call("getOpenEditors");
 * await connection.close();
 */
export async function connect(ide: Ide, options: ConnectOptions = {}): Promise<IdeConnection> {
  const { timeoutMs = 10_000, signal, clientName = "lockstep", onNotification } = options;
  const socket = await open(ide, timeoutMs, signal);
  const peer = new Peer({
    send: (text) => socket.send(text),
    onRequest: (method) => {
      if (method === "ping") return {};
      throw methodNotFound();
    },
    onNotification,
  });
  socket.on("message", (data) => peer.receive(data.toString()));
  const closed = new Promise<void>((resolve) => {
    socket.on("close", () => {
      peer.close();
      resolve();
    });
  });
  const close = async () => {
    socket.close();
    await closed;
  };
  try {
    const introduction = {
      protocolVersion: LATEST_PROTOCOL_VERSION,
      capabilities: {},
      clientInfo: { name: clientName, version: "0.1.0" },
    };
    const reply = await peer.request("initialize", introduction, { timeoutMs, signal });
    const serverName = Initialized.safeParse(reply).data?.serverInfo?.name ?? ide.name;
    peer.notify(Notification.initialized);
    return {
      ide,
      serverName,
      closed,
      close,
      [Symbol.asyncDispose]: close,
      async call(tool, args = {}, request) {
        const result = await peer.request("tools/call", { name: tool, arguments: args }, request);
        return understand(ToolResult, result, tool);
      },
      async tools(request) {
        return understand(ToolList, await peer.request("tools/list", {}, request), "tools/list")
          .tools;
      },
    };
  } catch (error) {
    socket.terminate();
    throw error;
  }
}

function open(ide: Ide, timeoutMs: number, signal?: AbortSignal): Promise<WebSocket> {
  const token = ide.token();
  const socket = new WebSocket(`ws://127.0.0.1:${ide.port}/`, [SUBPROTOCOL], {
    headers: token === "" ? {} : { [AUTH_HEADER]: token },
    perMessageDeflate: false,
    handshakeTimeout: timeoutMs,
    followRedirects: false,
  });
  return new Promise((resolve, reject) => {
    const abort = () => {
      socket.terminate();
      reject(signal?.reason);
    };
    if (signal?.aborted) abort();
    signal?.addEventListener("abort", abort, { once: true });
    socket.once("open", () => {
      signal?.removeEventListener("abort", abort);
      resolve(socket);
    });
    socket.once("unexpected-response", (_request, { statusCode }) => {
      const why =
        statusCode === 401 ? "does not accept its own lock file's token" : `answered ${statusCode}`;
      reject(
        new IdeError("refused", `${ide.name} on port ${ide.port} ${why}. Restart the editor.`),
      );
      socket.terminate();
    });
    socket.on("error", (cause) => {
      const message = `${ide.name} on port ${ide.port} cannot be reached: ${cause.message}`;
      reject(new IdeError("unreachable", message, { cause }));
    });
  });
}

function understand<S extends z.ZodMiniType>(schema: S, value: unknown, what: string): z.output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new IdeError("not-ide", `The answer to ${what} is not what MCP defines.`);
}
