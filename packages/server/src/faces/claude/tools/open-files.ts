import { fileUri, openFiles, textResult } from "@lockstep/protocol";
import { ToolFailure } from "../../../errors.js";
import { defineTool } from "../tool.js";
import { admittedFile } from "../workspace-path.js";

/** Opens those that it can and answers which; the last one is the active one. */
export const openFilesTool = defineTool({
  contract: openFiles,
  available: ({ open }) => open !== undefined,
  async call({ file_paths: given }, { session, incoming }) {
    const opened: string[] = [];
    for (const name of given) {
      try {
        const path = await admittedFile(name, session, incoming);
        await session.ask("open", { uri: fileUri(path), focus: true, preview: false }, incoming);
        opened.push(path);
      } catch (error) {
        if (!(error instanceof ToolFailure)) throw error;
      }
    }
    return textResult(JSON.stringify({ opened_files: opened }));
  },
});
