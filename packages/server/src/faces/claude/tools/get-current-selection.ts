import { getCurrentSelection, jsonResult } from "@lockstep/protocol";
import { defineTool } from "../tool.js";
import { selectionChanged } from "../wire.js";

/** An editor that only tells its selection gives context by pushing it, and offers no tools. */
export const getCurrentSelectionTool = defineTool({
  contract: getCurrentSelection,
  available: ({ selection, tabs }) => selection !== undefined && tabs !== undefined,
  async call(_input, { session, incoming }) {
    const selection = await session.selection(incoming);
    if (!selection) return jsonResult({ success: false, message: "No active editor found" });
    return jsonResult({ success: true, ...selectionChanged(selection) });
  },
});
