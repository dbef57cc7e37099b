import type { IdeConnection } from "@lockstep/client";
import { ConnectionClosed, closeTab, errorResult, openDiff, RpcError } from "@lockstep/protocol";
import {
  type CallToolResult,
  ProtocolError,
  type ServerContext,
} from "@modelcontextprotocol/server";

export interface MirroredCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly context: ServerContext;
}

const LET_GO_MS = 5_000;

/** Calls the editor's tool for an agent. The answer is the editor's own, be it an error. */
export async function mirrorCall(
  connection: IdeConnection,
  { name, arguments: args, context }: MirroredCall,
): Promise<CallToolResult> {
  const { signal, _meta } = context.mcpReq;
  const { progressToken } = _meta ?? {};
  const params = {
    name,
    arguments: args,
    ...(progressToken === undefined ? {} : { _meta: { progressToken } }),
  };
  try {
    // A person may be asked: that takes as long as it takes.
    return (await connection.request("tools/call", params, { signal })) as CallToolResult;
  } catch (error) {
    if (error instanceof RpcError) throw new ProtocolError(error.code, error.message, error.data);
    if (signal.aborted && name === openDiff.name) letGo(connection, args.tab_name);
    if (signal.aborted) throw error;
    return errorResult(whyUnanswered(error));
  }
}

/** Not every editor takes a cancellation: a proposal that nobody waits for is closed by its name. */
function letGo(connection: IdeConnection, tabName: unknown): void {
  const params = { name: closeTab.name, arguments: { tab_name: tabName } };
  connection.request("tools/call", params, { timeoutMs: LET_GO_MS }).catch(() => {});
}

function whyUnanswered(error: unknown): string {
  if (error instanceof ConnectionClosed)
    return "The editor went away before it answered. Nobody knows how far it came: look, then try again.";
  return `The editor did not answer: ${error instanceof Error ? error.message : String(error)}`;
}
