import { baseName, filePath, getWorkspaceFolders, jsonResult } from "@lockstep/protocol";
import { defineTool } from "../tool.js";

export const getWorkspaceFoldersTool = defineTool({
  contract: getWorkspaceFolders,
  available: ({ tabs }) => tabs !== undefined,
  call(_input, { session }) {
    const folders = session.editor.folders.map((uri, index) => {
      const path = filePath(uri) ?? uri;
      return { name: baseName(path), uri, path, index };
    });
    const rootPath = folders[0]?.path ?? null;
    return jsonResult({ success: true, folders, rootPath, workspaceFile: null });
  },
});
