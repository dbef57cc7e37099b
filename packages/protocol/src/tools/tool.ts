import * as z from "zod/mini";

/** A tool as both sides know it: its name, what the model reads of it, and what it takes. */
export interface ToolContract<Input extends z.core.$ZodType = z.core.$ZodType> {
  readonly name: string;
  readonly description: string;
  readonly input: Input;
}

export type ToolInput<Contract extends ToolContract> = z.output<Contract["input"]>;

/** The entry of `tools/list`. A field with a default is not required. */
export function describeTool(tool: ToolContract): Record<string, unknown> {
  const { name, description } = tool;
  return { name, description, inputSchema: z.toJSONSchema(tool.input, { io: "input" }) };
}
