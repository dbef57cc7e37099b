import type { Diagnostic, FileDiagnostics } from "@lockstep/editor";
import type { DiagnosticsReply } from "@lockstep/protocol";
import type { Dialect } from "./tool.js";

const SEVERITIES: Readonly<Record<Dialect, Readonly<Record<Diagnostic["severity"], string>>>> = {
  vscode: { error: "Error", warning: "Warning", information: "Information", hint: "Hint" },
  jetbrains: { error: "ERROR", warning: "WARNING", information: "INFO", hint: "WEAK_WARNING" },
};

/** One file's problems as agents read them, under the URI that they know it by. */
export function wireDiagnostics(
  uri: string,
  { items }: FileDiagnostics,
  dialect: Dialect,
): DiagnosticsReply[number] {
  const diagnostics = items.map(({ message, severity, range: { start, end }, source, code }) => {
    return {
      message,
      severity: SEVERITIES[dialect][severity],
      range: { start, end },
      source,
      code,
    };
  });
  return { uri, diagnostics };
}
