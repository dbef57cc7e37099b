import * as z from "zod/mini";
import { holdsPath } from "../path-fields.js";

export const checkDocumentDirty = {
  name: "checkDocumentDirty",
  description: "Check if a document has unsaved changes (is dirty)",
  input: z.object({
    filePath: holdsPath(z.string().check(z.describe("Path to the file to check"))),
  }),
} as const;

export const DocumentDirtyReply = z.object({
  success: z.nullish(z.boolean()),
  filePath: z.nullish(holdsPath(z.string())),
  isDirty: z.nullish(z.boolean()),
  isUntitled: z.nullish(z.boolean()),
  message: z.nullish(z.string()),
});
