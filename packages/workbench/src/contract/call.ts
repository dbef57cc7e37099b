import type * as z from "zod/mini";

/**
 * One thing that a window asks of the workbench: what it sends, checked when it comes in, and the
 * type of what it gets. `output` exists for the compiler only.
 */
export interface CallSpec<Input, Output> {
  readonly input: z.ZodMiniType<Input>;
  readonly output?: Output;
}

/** `call<Output>()(schema of the input)`: two steps, because only one of the types can be inferred. */
export const call =
  <Output>() =>
  <Input>(input: z.ZodMiniType<Input>): CallSpec<Input, Output> => ({ input });

export type CallSpecs = Readonly<Record<string, CallSpec<unknown, unknown>>>;
export type InputOf<Spec> = Spec extends CallSpec<infer Input, unknown> ? Input : never;
export type OutputOf<Spec> = Spec extends CallSpec<unknown, infer Output> ? Output : never;
