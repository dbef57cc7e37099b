import * as z from "zod/mini";
import { holdsPath } from "../path-fields.js";

export const openFiles = {
  name: "open_files",
  description: "Opens multiple files in the IDE",
  input: z.object({
    file_paths: z.array(holdsPath(z.string())).check(z.describe("Array of absolute file paths")),
  }),
} as const;

export const OpenFilesReply = z.object({ opened_files: z.array(holdsPath(z.string())) });
