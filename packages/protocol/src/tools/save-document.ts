import * as z from "zod/mini";
import { holdsPath } from "../path-fields.js";

export const saveDocument = {
  name: "saveDocument",
  description: "Save a document with unsaved changes",
  input: z.object({
    filePath: holdsPath(z.string().check(z.describe("Path to the file to save"))),
  }),
} as const;

/** VS Code says `success` even where nothing was saved: `saved` is what counts. */
export const SaveDocumentReply = z.object({
  success: z.nullish(z.boolean()),
  filePath: z.nullish(holdsPath(z.string())),
  saved: z.nullish(z.boolean()),
  message: z.nullish(z.string()),
});
