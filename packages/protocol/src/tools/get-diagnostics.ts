import * as z from "zod/mini";

export const getDiagnostics = {
  name: "getDiagnostics",
  description: "Get language diagnostics from VS Code",
  input: z.object({
    uri: z
      .nullish(z.string())
      .check(
        z.describe(
          "File URI to get diagnostics for. If not provided, gets diagnostics for all files.",
        ),
      ),
  }),
} as const;

const Position = z.object({ line: z.number(), character: z.number() });

export const DiagnosticsReply = z.array(
  z.object({
    /** `file://` and the plain path: agents compare it as a string. */
    uri: z.string(),
    diagnostics: z.array(
      z.object({
        message: z.string(),
        severity: z.string(),
        range: z.object({ start: Position, end: z.optional(Position) }),
        source: z.optional(z.string()),
        code: z.optional(z.string()),
      }),
    ),
  }),
);
export type DiagnosticsReply = z.infer<typeof DiagnosticsReply>;
