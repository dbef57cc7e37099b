import * as z from "zod/mini";
import { holdsPath, holdsUri } from "../path-fields.js";

export const getOpenEditors = {
  name: "getOpenEditors",
  description: "Get information about currently open editors",
  input: z.object({}),
} as const;

/** The first five are documented; the rest is VS Code's. */
export const OpenEditorsReply = z.object({
  tabs: z.array(
    z.object({
      uri: holdsUri(z.string()),
      isActive: z.nullish(z.boolean()),
      label: z.nullish(z.string()),
      languageId: z.nullish(z.string()),
      isDirty: z.nullish(z.boolean()),
      isPinned: z.nullish(z.boolean()),
      isPreview: z.nullish(z.boolean()),
      lineCount: z.nullish(z.number()),
      fileName: z.nullish(holdsPath(z.string())),
    }),
  ),
});
