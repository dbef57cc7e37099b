import { ErrorCode, invalidParams, methodNotFound, RpcError } from "@lockstep/protocol";
import type { CallSpecs, InputOf, OutputOf } from "../contract/call.js";
import { type CallName, calls } from "../contract/index.js";
import { WorkbenchError } from "../errors.js";
import type { Window } from "./window.js";

/** What a part of the workbench answers: a function for each call of its contract. */
export type Handlers<Specs extends CallSpecs> = {
  readonly [Name in keyof Specs]: (
    input: InputOf<Specs[Name]>,
    window: Window,
  ) => OutputOf<Specs[Name]> | Promise<OutputOf<Specs[Name]>>;
};

export type AllHandlers = Handlers<typeof calls>;

/** Answers a window's call: checks what came, hands it to its part, words what goes wrong. */
export async function answerCall(
  handlers: AllHandlers,
  method: string,
  params: unknown,
  window: Window,
): Promise<unknown> {
  if (!Object.hasOwn(calls, method)) throw methodNotFound();
  const name = method as CallName;
  const { data, error } = calls[name].input.safeParse(params ?? {});
  if (error) {
    const [issue] = error.issues;
    throw invalidParams(`${name}: ${issue?.path.join(".") ?? ""} ${issue?.message ?? ""}`);
  }
  const handler = handlers[name] as (input: unknown, window: Window) => unknown;
  try {
    return (await handler(data, window)) ?? null;
  } catch (problem) {
    if (problem instanceof WorkbenchError) throw new RpcError(ErrorCode.failed, problem.message);
    throw problem;
  }
}
