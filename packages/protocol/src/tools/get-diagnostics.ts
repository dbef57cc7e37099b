import * as z from "zod/mini";
import { holdsUri } from "../path-fields.js";
import { PositionReply } from "../selection-reply.js";

export const getDiagnostics = {
  name: "getDiagnostics",
  description: "Get language diagnostics from VS Code",
  input: z.object({
    uri: z
      .nullish(holdsUri(z.string()))
      .check(
        z.describe(
          "File URI to get diagnostics for. If not provided, gets diagnostics for all files.",
        ),
      ),
  }),
} as const;

export const DiagnosticReply = z.object({
  message: z.string(),
  severity: z.nullish(z.string()),
  range: z.object({ start: PositionReply, end: z.nullish(PositionReply) }),
  source: z.nullish(z.string()),
  /** VS Code makes strings of them; language servers have numbers too. */
  code: z.nullish(z.union([z.string(), z.number()])),
});

export const DiagnosticsReply = z.array(
  z.object({
    /** `file://` and the plain path: agents compare it as a string. */
    uri: holdsUri(z.string()),
    diagnostics: z.array(DiagnosticReply),
  }),
);
export type DiagnosticsReply = z.infer<typeof DiagnosticsReply>;
