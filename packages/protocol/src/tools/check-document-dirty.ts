import * as z from "zod/mini";

export const checkDocumentDirty = {
  name: "checkDocumentDirty",
  description: "Check if a document has unsaved changes (is dirty)",
  input: z.object({ filePath: z.string().check(z.describe("Path to the file to check")) }),
} as const;
