import * as z from "zod/mini";

export const getLatestSelection = {
  name: "getLatestSelection",
  description: "Get the most recent text selection (even if not in active editor)",
  input: z.object({}),
} as const;
