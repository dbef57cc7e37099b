import * as z from "zod/mini";

export const getCurrentSelection = {
  name: "getCurrentSelection",
  description: "Get the current text selection in the active editor",
  input: z.object({}),
} as const;
