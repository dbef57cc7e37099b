import * as z from "zod/mini";
import { holdsPath, holdsUri } from "../path-fields.js";

export const openFile = {
  name: "openFile",
  description: "Open a file in the editor and optionally select a range of text",
  input: z.object({
    filePath: holdsPath(z.string().check(z.describe("Path to the file to open"))),
    preview: z
      ._default(z.boolean(), false)
      .check(z.describe("Whether to open the file in preview mode")),
    startText: z
      .optional(z.string())
      .check(z.describe("Text pattern to find the start of the selection range")),
    endText: z
      .optional(z.string())
      .check(z.describe("Text pattern to find the end of the selection range")),
    selectToEndOfLine: z
      ._default(z.boolean(), false)
      .check(z.describe("Whether to extend the selection to the end of the line")),
    makeFrontmost: z
      ._default(z.boolean(), true)
      .check(z.describe("Whether to make the file the active editor tab")),
  }),
} as const;

/** The reply where the file was not made the active one; else it is a sentence. */
export const OpenFileReply = z.object({
  filePath: z.nullish(holdsPath(z.string())),
  fileUrl: z.nullish(holdsUri(z.string())),
  message: z.nullish(z.string()),
  languageId: z.nullish(z.string()),
  lineCount: z.nullish(z.number()),
  isDirty: z.nullish(z.boolean()),
});
