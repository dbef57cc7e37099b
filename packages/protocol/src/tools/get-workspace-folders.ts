import * as z from "zod/mini";

export const getWorkspaceFolders = {
  name: "getWorkspaceFolders",
  description: "Get all workspace folders currently open in the IDE",
  input: z.object({}),
} as const;
