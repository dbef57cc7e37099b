import { fileUri, reformatFile, textResult } from "@lockstep/protocol";
import { ToolFailure } from "../../../errors.js";
import { defineTool } from "../tool.js";
import { isInWorkspace, resolveFile } from "../workspace-path.js";

/** Writes, so it stays inside the workspace, and nobody is asked. */
export const reformatFileTool = defineTool({
  contract: reformatFile,
  available: ({ format }) => format !== undefined,
  async call({ file_path: given }, { session, incoming }) {
    const file = await resolveFile(given, session);
    if (!file) throw new ToolFailure("File not found");
    if (!isInWorkspace(file.realPath, session)) {
      throw new ToolFailure(`${file.path} is outside of the workspace, so it was left alone.`);
    }
    await session.ask("format", { uri: fileUri(file.path) }, incoming);
    return textResult("OK");
  },
});
