import * as z from "zod/mini";

/** The answer to initialize, as much of it as a client wants to know. */
export const InitializeReply = z.object({
  serverInfo: z.optional(z.object({ name: z.string() })),
});

export const ToolDescription = z.object({
  name: z.string(),
  description: z.optional(z.string()),
  inputSchema: z.optional(z.unknown()),
});
export type ToolDescription = z.infer<typeof ToolDescription>;

/** The answer to tools/list. */
export const ToolListReply = z.object({ tools: z.array(ToolDescription) });
