import * as z from "zod/mini";

export const reformatFile = {
  name: "reformat_file",
  description: "Reformats a file using IDE's code formatter",
  input: z.object({ file_path: z.string().check(z.describe("Absolute file path")) }),
} as const;
