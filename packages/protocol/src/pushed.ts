import * as z from "zod/mini";
import { holdsPath, holdsUri } from "./path-fields.js";
import { DiagnosticReply } from "./tools/get-diagnostics.js";

/** The params of at_mentioned, read tolerantly: JetBrains' document has null lines for a whole file. */
export const AtMentionedParams = z.object({
  filePath: holdsPath(z.string()),
  lineStart: z.nullish(z.number()),
  lineEnd: z.nullish(z.number()),
});

/** The params of diagnostics_changed: VS Code has `uris` alone, JetBrains' document the other two. */
export const DiagnosticsChangedParams = z.object({
  uris: z.nullish(z.array(holdsUri(z.string()))),
  uri: z.nullish(holdsUri(z.string())),
  diagnostics: z.nullish(z.array(DiagnosticReply)),
});
