import type { Abilities } from "@lockstep/editor";
import {
  describeTool,
  errorResult,
  invalidParams,
  readBy,
  type ToolResult,
} from "@lockstep/protocol";
import { toolNameTaken } from "../../errors.js";
import type { Tool, ToolContext } from "./tool.js";
import { checkDocumentDirtyTool } from "./tools/check-document-dirty.js";
import { closeAllDiffTabsTool } from "./tools/close-all-diff-tabs.js";
import { closeTabTool } from "./tools/close-tab.js";
import { executeCodeTool } from "./tools/execute-code.js";
import { getAllOpenedFilePathsTool } from "./tools/get-all-opened-file-paths.js";
import { getCurrentSelectionTool } from "./tools/get-current-selection.js";
import { getDiagnosticsTool } from "./tools/get-diagnostics.js";
import { getLatestSelectionTool } from "./tools/get-latest-selection.js";
import { getOpenEditorsTool } from "./tools/get-open-editors.js";
import { getWorkspaceFoldersTool } from "./tools/get-workspace-folders.js";
import { openDiffTool } from "./tools/open-diff.js";
import { openFileTool } from "./tools/open-file.js";
import { openFilesTool } from "./tools/open-files.js";
import { reformatFileTool } from "./tools/reformat-file.js";
import { saveDocumentTool } from "./tools/save-document.js";

/** In the order of the official VS Code extension, then JetBrains' own. */
const BUILT_IN: readonly Tool[] = [
  openDiffTool,
  getDiagnosticsTool,
  closeTabTool,
  closeAllDiffTabsTool,
  openFileTool,
  getOpenEditorsTool,
  getWorkspaceFoldersTool,
  getCurrentSelectionTool,
  checkDocumentDirtyTool,
  saveDocumentTool,
  getLatestSelectionTool,
  executeCodeTool,
  openFilesTool,
  getAllOpenedFilePathsTool,
  reformatFileTool,
];

/** The tools that agents may call: the built-in ones and the host's. */
export class Toolbox {
  readonly #tools = new Map<string, Tool>();
  /** Made once, when the first agent asks. */
  readonly #descriptions = new Map<Tool, Record<string, unknown>>();

  constructor(hostTools: readonly Tool[]) {
    for (const tool of [...BUILT_IN, ...hostTools]) {
      const { name } = tool.contract;
      if (this.#tools.has(name)) throw toolNameTaken(name);
      this.#tools.set(name, tool);
    }
  }

  /** Only what the editor can do. */
  list(abilities: Abilities): readonly Record<string, unknown>[] {
    const offered = [...this.#tools.values()].filter((tool) => tool.available(abilities));
    return offered.map((tool) => {
      const description = this.#descriptions.get(tool) ?? describeTool(tool.contract);
      this.#descriptions.set(tool, description);
      return description;
    });
  }

  /** Throws an RpcError for a call that no editor could take. */
  call(
    name: string,
    args: Record<string, unknown>,
    context: ToolContext,
  ): ToolResult | Promise<ToolResult> {
    const tool = this.#tools.get(name);
    if (!tool) throw invalidParams(`there is no tool ${JSON.stringify(name)}`);
    const input = readBy(tool.contract.input, args);
    if (!input.ok) throw invalidParams(`${name}: ${input.problem}`);
    if (!tool.available(context.session.abilities)) {
      return errorResult(tool.unavailable ?? `This editor does not offer ${name}.`);
    }
    return tool.call(input.data, context);
  }
}
