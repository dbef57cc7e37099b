import type { Tab } from "@lockstep/editor";
import { filePath, getOpenEditors, jsonResult } from "@lockstep/protocol";
import { defineTool } from "../tool.js";

export const getOpenEditorsTool = defineTool({
  contract: getOpenEditors,
  available: ({ tabs }) => tabs !== undefined,
  async call(_input, { session, incoming }) {
    const tabs = await session.ask("tabs", undefined, incoming);
    return jsonResult({ tabs: tabs.filter(({ uri }) => filePath(uri) !== null).map(wireTab) });
  },
});

/** Editor groups are VS Code's notion; agents see one group, which is active. */
function wireTab(tab: Tab) {
  const { uri, label, languageId, lineCount, selection } = tab;
  return {
    uri,
    isActive: tab.active,
    isPinned: tab.pinned ?? false,
    isPreview: tab.preview ?? false,
    isDirty: tab.dirty,
    label,
    groupIndex: 0,
    viewColumn: 1,
    isGroupActive: true,
    fileName: filePath(uri),
    languageId,
    lineCount,
    isUntitled: false,
    selection: selection && {
      start: selection.start,
      end: selection.end,
      isReversed: selection.reversed,
    },
  };
}
