import * as z from "zod/mini";
import { holdsPath } from "../path-fields.js";

export const openDiff = {
  name: "openDiff",
  description: "Open a git diff for the file (blocking operation)",
  input: z.object({
    old_file_path: holdsPath(z.string()),
    /** JetBrains' form leaves it out; it is the old path then. */
    new_file_path: z.optional(holdsPath(z.string())),
    new_file_contents: z.string(),
    tab_name: z.string(),
  }),
} as const;

/** The person said yes; the second text is the full final contents. */
export const FILE_SAVED = "FILE_SAVED";
/** The person said no; the second text is the tab's name, the third the reason if one was given. */
export const DIFF_REJECTED = "DIFF_REJECTED";
