import * as z from "zod/mini";

export const openFiles = {
  name: "open_files",
  description: "Opens multiple files in the IDE",
  input: z.object({
    file_paths: z.array(z.string()).check(z.describe("Array of absolute file paths")),
  }),
} as const;
