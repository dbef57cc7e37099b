import {
  invalidParams,
  type RequestOptions,
  RpcError,
  readBy,
  type SchemaInput,
  type ToolContract,
  type ToolInput,
} from "@lockstep/protocol";
import { ToolReply } from "./tool-reply.js";

/** A tool as the client calls it. */
export interface TypedTool<Contract extends ToolContract = ToolContract, Output = unknown> {
  readonly contract: Contract;
  readonly read: (reply: ToolReply, input: ToolInput<Contract>) => Output;
  /** Some servers require what the contract leaves out. */
  readonly complete?: (input: ToolInput<Contract>) => object;
  /** What to call when the answer is no longer wanted: not every server takes a cancellation. */
  readonly abandon?: (input: ToolInput<Contract>) => { readonly name: string; arguments: object };
  /** It may ask a person, who takes as long as it takes: there is no time-out by default. */
  readonly waitsForPerson?: boolean;
}

type Input<Tool> = Tool extends TypedTool<infer Contract> ? SchemaInput<Contract["input"]> : never;
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
  const { contract, complete, read, abandon, waitsForPerson } = tool;
  const { name } = contract;
  const reading = readBy(contract.input, input ?? {});
  if (!reading.ok) throw invalidParams(`${name}: ${reading.problem}`);
  const parsed = reading.data as ToolInput<Contract>;
  const params = { name, arguments: complete?.(parsed) ?? parsed };
  const timeoutMs = waitsForPerson ? undefined : PATIENCE_MS;
  const asked = request("tools/call", params, { timeoutMs, ...options });
  if (abandon) asked.catch((error) => error instanceof RpcError || letGo(request, abandon(parsed)));
  return read(new ToolReply(name, await asked), parsed);
}

/** Nobody waits for it, and if the connection is gone there is nothing to let go. */
function letGo(request: Request, params: object): void {
  request("tools/call", params, { timeoutMs: PATIENCE_MS }).catch(() => {});
}
