import * as z from "zod/mini";
import { holdsPath } from "../path-fields.js";

export const reformatFile = {
  name: "reformat_file",
  description: "Reformats a file using IDE's code formatter",
  input: z.object({ file_path: holdsPath(z.string().check(z.describe("Absolute file path"))) }),
} as const;
