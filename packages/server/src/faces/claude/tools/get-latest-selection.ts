import { getLatestSelection, jsonResult } from "@lockstep/protocol";
import { defineTool } from "../tool.js";
import { selectionChanged } from "../wire.js";

/** Unlike getCurrentSelection it survives the closing of all tabs, and has no `success` when it does. */
export const getLatestSelectionTool = defineTool({
  contract: getLatestSelection,
  available: ({ selection, tabs }) => selection !== undefined && tabs !== undefined,
  async call(_input, { session, incoming }) {
    const selection = await session.latestSelection(incoming);
    if (!selection) return jsonResult({ success: false, message: "No selection available" });
    return jsonResult(selectionChanged(selection));
  },
});
