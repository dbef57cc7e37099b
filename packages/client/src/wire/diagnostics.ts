import type { DiagnosticsReply, WirePosition } from "@lockstep/protocol";
import { pathOf } from "./file-path.js";

export interface Diagnostic {
  readonly message: string;
  readonly severity: Severity;
  readonly start: WirePosition;
  readonly end: WirePosition | null;
  readonly source: string | null;
  readonly code: string | null;
}

export interface FileDiagnostics {
  readonly uri: string;
  /** Null for a document without a file. */
  readonly path: string | null;
  readonly diagnostics: readonly Diagnostic[];
}

/** One vocabulary for VS Code's words and JetBrains'. What is missing or unknown is an error. */
export type Severity = "error" | "warning" | "information" | "hint";

const SEVERITIES: Readonly<Record<string, Severity>> = {
  error: "error",
  warning: "warning",
  information: "information",
  info: "information",
  hint: "hint",
  weak_warning: "hint",
};

export function readFileDiagnostics(file: DiagnosticsReply[number]): FileDiagnostics {
  const diagnostics = file.diagnostics.map(({ message, severity, range, source, code }) => ({
    message,
    severity: SEVERITIES[severity?.toLowerCase() ?? ""] ?? "error",
    start: range.start,
    end: range.end ?? null,
    source: source ?? null,
    code: code === null || code === undefined ? null : String(code),
  }));
  return { uri: file.uri, path: pathOf(file.uri), diagnostics };
}
