import type { Diagnostic, FileDiagnostics } from "@lockstep/editor";
import {
  type DiagnosticsReply,
  filePath,
  fileUri,
  getDiagnostics,
  jsonResult,
  parseUri,
  plainFileUrl,
  type Uri,
} from "@lockstep/protocol";
import type { Files } from "../../../core/files.js";
import { ToolFailure } from "../../../errors.js";
import { defineTool } from "../tool.js";

/** Before its write the CLI takes a baseline of the file, and waits no longer than this. */
const BASELINE_MS = 100;
/** After an edit it asks for everything, and waits for language servers to notice. */
const SETTLE_MS = 2_000;

export const getDiagnosticsTool = defineTool({
  contract: getDiagnostics,
  available: ({ diagnostics }) => diagnostics !== undefined,
  async call({ uri: asked }, { session, incoming }) {
    if (!asked) {
      const all = await session.ask("diagnostics", { settleMs: SETTLE_MS }, incoming);
      return jsonResult(all.map((file) => reply(wireUri(file.uri), file)));
    }
    const uri = await documentOf(asked, session.files);
    const request = { uri, settleMs: BASELINE_MS };
    const files = await session.ask("diagnostics", request, incoming);
    const file = files.find((entry) => entry.uri === uri) ?? { uri, items: [] };
    // The agent compares the reply with its question as strings, so its own spelling comes back.
    return jsonResult([reply(asked.startsWith("/") ? plainFileUrl(asked) : asked, file)]);
  },
});

/** Agents do not encode the URIs they send, other clients do: the name that exists is meant. */
async function documentOf(asked: string, files: Files): Promise<Uri> {
  const plain = asked.startsWith("file:///") ? asked.slice("file://".length) : asked;
  if (plain.startsWith("/") && (await files.look(plain))) return fileUri(plain);
  const uri = plain === asked && plain.startsWith("/") ? fileUri(plain) : parseUri(asked);
  if (!uri) throw new ToolFailure(`Not a file URI: ${asked}`);
  return uri;
}

function wireUri(uri: Uri): string {
  const path = filePath(uri);
  return path === null ? uri : plainFileUrl(path);
}

const SEVERITIES: Readonly<Record<Diagnostic["severity"], string>> = {
  error: "Error",
  warning: "Warning",
  information: "Information",
  hint: "Hint",
};

function reply(uri: string, { items }: FileDiagnostics): DiagnosticsReply[number] {
  const diagnostics = items.map(({ message, severity, range: { start, end }, source, code }) => {
    return { message, severity: SEVERITIES[severity], range: { start, end }, source, code };
  });
  return { uri, diagnostics };
}
