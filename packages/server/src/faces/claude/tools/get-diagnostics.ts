import { isAbsolute, resolve } from "node:path";
import {
  filePath,
  fileUri,
  getDiagnostics,
  jsonResult,
  parseUri,
  type Uri,
} from "@lockstep/protocol";
import type { Files } from "../../../core/files.js";
import { ToolFailure } from "../../../errors.js";
import { wireDiagnostics } from "../diagnostics.js";
import { defineTool, type ToolContext } from "../tool.js";
import { wireUri } from "../wire.js";

/**
 * Before its write the CLI takes a baseline of the file. It waits 500 ms for it, and once three have
 * come later it never asks again, so it is answered well before that.
 */
const BASELINE_MS = 350;
/**
 * After an edit it asks for everything. It waits 2 s, drops what comes later, and asks nothing while it
 * has not come.
 */
const SETTLE_MS = 1_700;

export const getDiagnosticsTool = defineTool({
  contract: getDiagnostics,
  available: ({ diagnostics }) => diagnostics !== undefined,
  async call({ uri: asked }, context) {
    const { session, incoming, dialect } = context;
    if (!asked && dialect === "vscode") {
      const all = await session.ask("diagnostics", { settleMs: SETTLE_MS }, incoming);
      return jsonResult(all.map((file) => wireDiagnostics(wireUri(file.uri), file, dialect)));
    }
    const uri = asked ? await documentOf(asked, session.files) : await activeDocument(context);
    if (!uri) return jsonResult([]);
    const request = { uri, settleMs: BASELINE_MS };
    const files = await session.ask("diagnostics", request, incoming);
    const file = files.find((entry) => entry.uri === uri) ?? { uri, items: [] };
    // The agent compares the reply with its question as strings, so its own spelling comes back.
    const spelling = asked && !asked.startsWith("/") ? asked : wireUri(uri);
    return jsonResult([wireDiagnostics(spelling, file, dialect)]);
  },
});

/** What JetBrains means where no file is named. */
async function activeDocument({ session, incoming }: ToolContext): Promise<Uri | null> {
  return session.abilities.selection ? ((await session.selection(incoming))?.uri ?? null) : null;
}

/** Agents do not encode the URIs they send, other clients do: the name that exists is meant. */
async function documentOf(asked: string, files: Files): Promise<Uri> {
  const plain = asked.startsWith("file:///") ? asked.slice("file://".length) : asked;
  if (isAbsolute(plain) && (plain === asked || (await files.look(plain))))
    return fileUri(resolve(plain));
  const uri = parseUri(asked);
  const path = uri && filePath(uri);
  // Another machine's share is no file of this one.
  if (!uri || (path !== null && !isAbsolute(path))) {
    throw new ToolFailure(`Not the URI of a file on this machine: ${asked}`);
  }
  return uri;
}
