import type { FindOptions } from "@lockstep/client";
import { errorResult } from "@lockstep/protocol";
import { type ProgressToken, Server, type ServerContext } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Log } from "../log.js";
import { VERSION } from "../version.js";
import { FollowedIde } from "./followed-ide.js";
import { mirrorCall } from "./mirror-call.js";
import { mirroredTools } from "./mirrored-tools.js";
import { isPermitted } from "./permitted-tools.js";

export interface ServeMcpOptions {
  readonly port: number | undefined;
  readonly allowWrites: boolean;
  readonly find: FindOptions;
  /** For the person who reads the log; standard output is the protocol's alone. */
  readonly say: (text: string) => void;
  readonly log: Log;
  readonly stopping: Promise<unknown>;
}

/** Room for a proposal of 50 MB in JSON's escapes, as the editors have it. */
const LARGEST_MESSAGE = 100 * 1024 * 1024;

const INSTRUCTIONS = `Tools of the editor in which the person has this folder open: what is selected, \
which files are open, which problems they have. Lines and columns count from 0.`;

/** An MCP server on standard input and output that has the tools of the editor, until either ends. */
export async function serveMcp(options: ServeMcpOptions): Promise<void> {
  const { port, allowWrites, find, say, log, stopping } = options;
  const servers = new Set<Server>();
  /** Who waits for the progress of a call, by the token that the agent chose for it. */
  const calls = new Map<ProgressToken, ServerContext>();
  await using ide = new FollowedIde({
    port,
    find,
    say,
    log,
    onToolsChanged: () => {
      // An agent that has not introduced itself yet, or has left, need not know.
      for (const server of servers) server.sendToolListChanged().catch(() => {});
    },
    onNotification: (method, params) => {
      if (method !== PROGRESS) return;
      const progress = (params ?? {}) as { progressToken?: ProgressToken };
      const call = progress.progressToken === undefined ? null : calls.get(progress.progressToken);
      call?.mcpReq.notify({ method, params: { ...progress } }).catch(() => {});
    },
  });

  const call = async (
    name: string,
    args: Readonly<Record<string, unknown>>,
    context: ServerContext,
  ) => {
    if (!isPermitted(name, allowWrites)) return errorResult(notPermitted(name));
    const connection = await ide.connection();
    if (!connection) return errorResult(ide.absence);
    const token = context.mcpReq._meta?.progressToken;
    if (token !== undefined) calls.set(token, context);
    try {
      return await mirrorCall(connection, { name, arguments: args, context });
    } finally {
      if (token !== undefined) calls.delete(token);
    }
  };

  const mirror = () => {
    const server = new Server(
      { name: "lockstep", title: "Lockstep", version: VERSION },
      { capabilities: { tools: { listChanged: true } }, instructions: INSTRUCTIONS },
    );
    server.setRequestHandler("tools/list", async () => {
      const connection = await ide.connection();
      const tools = mirroredTools(connection, allowWrites);
      // An editor that went away while it was asked is as good as none.
      return { tools: await tools.catch(() => mirroredTools(null, allowWrites)) };
    });
    server.setRequestHandler("tools/call", ({ params }, context) =>
      call(params.name, params.arguments ?? {}, context),
    );
    server.onclose = () => servers.delete(server);
    servers.add(server);
    return server;
  };

  const transport = new StdioServerTransport(process.stdin, process.stdout, {
    maxBufferSize: LARGEST_MESSAGE,
  });
  const serving = serveStdio(mirror, { transport, onerror: ({ message }) => say(message) });
  await Promise.race([stopping, closed(transport)]);
  await serving.close();
}

const PROGRESS = "notifications/progress";

/** The agent has closed our input, or sent what nobody could read. */
function closed(transport: StdioServerTransport): Promise<void> {
  const { onclose } = transport;
  return new Promise((resolve) => {
    transport.onclose = () => {
      onclose?.();
      resolve();
    };
  });
}

const notPermitted = (name: string) =>
  `${name} is not a tool that is known to change nothing, so it is not offered here. The person can allow it: lockstep mcp --allow-writes`;
