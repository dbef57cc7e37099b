import { filePath, getAllOpenedFilePaths, textResult } from "@lockstep/protocol";
import { defineTool } from "../tool.js";

export const getAllOpenedFilePathsTool = defineTool({
  contract: getAllOpenedFilePaths,
  available: ({ tabs }) => tabs !== undefined,
  async call(_input, { session, incoming }) {
    const tabs = await session.ask("tabs", undefined, incoming);
    const paths = tabs.map(({ uri }) => filePath(uri)).filter((path) => path !== null);
    return textResult(paths.join("\n"));
  },
});
