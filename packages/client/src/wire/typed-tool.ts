import type { RequestOptions, ToolContract, ToolInput } from "@lockstep/protocol";
import * as z from "zod/mini";
import { ToolReply } from "./tool-reply.js";

/** A tool as the client calls it. */
export interface TypedTool<Contract extends ToolContract = ToolContract, Output = unknown> {
  readonly contract: Contract;
  readonly read: (reply: ToolReply, input: ToolInput<Contract>) => Output;
  /** Some servers require what the contract leaves out. */
  readonly complete?: (input: ToolInput<Contract>) => object;
  /** It may ask a person, who takes as long as it takes: there is no time-out by default. */
  readonly waitsForPerson?: boolean;
}

type Input<Tool> = Tool extends TypedTool<infer Contract> ? z.input<Contract["input"]> : never;
type Output<Tool> = Tool extends { read: (...args: never[]) => infer Result } ? Result : never;

export type TypedCall<Tool> =
  Record<never, never> extends Input<Tool>
    ? (input?: Input<Tool>, options?: RequestOptions) => Promise<Output<Tool>>
    : (input: Input<Tool>, options?: RequestOptions) => Promise<Output<Tool>>;

export function typedTool<Contract extends ToolContract, Output>(
  tool: TypedTool<Contract, Output>,
): TypedTool<Contract, Output> {
  return tool;
}

type Request = (method: string, params: unknown, options: RequestOptions) => Promise<unknown>;

/** For tools that ask no person. */
const PATIENCE_MS = 30_000;

export async function callTyped<Contract extends ToolContract, Output>(
  tool: TypedTool<Contract, Output>,
  request: Request,
  input: unknown,
  options: RequestOptions = {},
): Promise<Output> {
  const { contract, complete, read, waitsForPerson } = tool;
  const { name } = contract;
  const parsed = z.parse(contract.input, input ?? {}) as ToolInput<Contract>;
  const params = { name, arguments: complete?.(parsed) ?? parsed };
  const timeoutMs = waitsForPerson ? undefined : PATIENCE_MS;
  const result = await request("tools/call", params, { timeoutMs, ...options });
  return read(new ToolReply(name, result), parsed);
}
