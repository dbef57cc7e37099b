import { jsonResult, saveDocument } from "@lockstep/protocol";
import { reason } from "../../../errors.js";
import { defineTool } from "../tool.js";
import { openDocument } from "../workspace-path.js";

/** Only what is open: a tool that could write other files would not be called save. */
export const saveDocumentTool = defineTool({
  contract: saveDocument,
  available: ({ text, save }) => text !== undefined && save !== undefined,
  async call({ filePath }, { session, incoming }) {
    const { path, uri, open } = await openDocument(filePath, session, incoming);
    if (!open) return jsonResult({ success: false, message: `Document not open: ${path}` });
    try {
      await session.ask("save", { uri }, incoming);
    } catch (error) {
      return jsonResult({ success: false, filePath: path, saved: false, message: reason(error) });
    }
    const message = "Document saved successfully";
    return jsonResult({ success: true, filePath: path, saved: true, message });
  },
});
