import { checkDocumentDirty, jsonResult } from "@lockstep/protocol";
import { defineTool } from "../tool.js";
import { openDocument } from "../workspace-path.js";

export const checkDocumentDirtyTool = defineTool({
  contract: checkDocumentDirty,
  available: ({ text }) => text !== undefined,
  async call({ filePath }, { session, incoming }) {
    const { path, open } = await openDocument(filePath, session, incoming);
    if (!open) return jsonResult({ success: false, message: `Document not open: ${path}` });
    return jsonResult({ success: true, filePath: path, isDirty: open.dirty, isUntitled: false });
  },
});
