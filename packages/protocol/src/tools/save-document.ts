import * as z from "zod/mini";

export const saveDocument = {
  name: "saveDocument",
  description: "Save a document with unsaved changes",
  input: z.object({ filePath: z.string().check(z.describe("Path to the file to save")) }),
} as const;
