import * as z from "zod/mini";

export const getOpenEditors = {
  name: "getOpenEditors",
  description: "Get information about currently open editors",
  input: z.object({}),
} as const;
