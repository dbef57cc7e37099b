import type { Agent } from "@lockstep/editor";
import { RpcError, type ToolContract, type ToolInput, type ToolResult } from "@lockstep/protocol";
import { reason, ToolFailure } from "../../errors.js";
import { defineTool, type Tool } from "./tool.js";

/** A tool that the host of the server adds. It is listed and its input is checked like ours. */
export interface HostTool<Contract extends ToolContract = ToolContract> {
  readonly contract: Contract;
  readonly call: (
    input: ToolInput<Contract>,
    call: { readonly agent: Agent; readonly signal: AbortSignal },
  ) => Promise<ToolResult>;
}

/**
 * Ties a host's tool to its schema, which may be any of zod 4. What its call throws, the agent reads.
 *
 * @example
 * hostTool({
 *   contract: {
 *     name: "wordCount",
 *     description: "Count the words of a text",
 *     input: z.object({ text: z.string() }),
 *   },
 *   call: async ({ text }) => textResult(String(text.split(/\s+/).length)),
 * });
 */
export function hostTool<Contract extends ToolContract>(tool: HostTool<Contract>): HostTool {
  return tool as unknown as HostTool;
}

export function asTool({ contract, call }: HostTool): Tool {
  return defineTool({
    contract,
    available: () => true,
    async call(input, { session, incoming }) {
      try {
        return await call(input, { agent: session.agent, signal: incoming.signal });
      } catch (error) {
        throw error instanceof RpcError ? error : new ToolFailure(reason(error), { cause: error });
      }
    },
  });
}
