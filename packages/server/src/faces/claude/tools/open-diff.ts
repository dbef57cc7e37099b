import { isAbsolute, resolve } from "node:path";
import {
  DIFF_REJECTED,
  FILE_SAVED,
  fileUri,
  openDiff,
  type ToolResult,
  textResult,
} from "@lockstep/protocol";
import { ToolFailure } from "../../../errors.js";
import { type Dialect, defineTool } from "../tool.js";

/** Answers when a person has decided. The agent writes the file afterwards; we never do. */
export const openDiffTool = defineTool({
  contract: openDiff,
  available: ({ review }) => review !== undefined,
  async call(input, { session, profile, dialect, incoming }) {
    const { tab_name: label, new_file_contents: text } = input;
    const path = input.new_file_path ?? input.old_file_path;
    if (!isAbsolute(path)) throw new ToolFailure(`Not an absolute path: ${path}`);
    const verdict = await session.desk.propose(
      { uri: fileUri(resolve(path)), label, text },
      incoming.signal,
    );
    switch (verdict.kind) {
      case "accepted": {
        const restored = verdict.newFile && profile.dropsFinalNewlineOfNewFile;
        return textResult(FILE_SAVED, restored ? oneMoreNewline(verdict.text) : verdict.text);
      }
      case "rejected":
        return rejected(label, dialect, verdict.reason);
      case "withdrawn":
        // By the agent itself, which has its answer from elsewhere and ignores this one.
        return rejected(label, dialect);
    }
  },
});

/** JetBrains' document has the one word alone. */
function rejected(label: string, dialect: Dialect, reason?: string): ToolResult {
  if (dialect === "jetbrains") return textResult(DIFF_REJECTED);
  return reason === undefined
    ? textResult(DIFF_REJECTED, label)
    : textResult(DIFF_REJECTED, label, reason);
}

function oneMoreNewline(text: string): string {
  return text.endsWith("\n") ? `${text}\n` : text;
}
