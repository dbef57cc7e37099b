import * as z from "zod/mini";

/** As much as matters here of Claude Code's `settings.json`: what it may not do. */
export const AgentSettings = z.object({
  permissions: z.optional(z.object({ deny: z.optional(z.array(z.unknown())) })),
});
