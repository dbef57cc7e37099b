import * as z from "zod/mini";

export const getAllOpenedFilePaths = {
  name: "get_all_opened_file_paths",
  description: "Gets all currently open file paths",
  input: z.object({}),
} as const;
