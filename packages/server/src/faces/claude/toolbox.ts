import type { Abilities } from "@lockstep/editor";
import { describeTool, errorResult, invalidParams, type ToolResult } from "@lockstep/protocol";
import * as z from "zod/mini";
import type { Tool, ToolContext } from "./tool.js";
import { closeAllDiffTabsTool } from "./tools/close-all-diff-tabs.js";
import { closeTabTool } from "./tools/close-tab.js";
import { getCurrentSelectionTool } from "./tools/get-current-selection.js";
import { getDiagnosticsTool } from "./tools/get-diagnostics.js";
import { getOpenEditorsTool } from "./tools/get-open-editors.js";
import { getWorkspaceFoldersTool } from "./tools/get-workspace-folders.js";
import { openDiffTool } from "./tools/open-diff.js";
import { openFileTool } from "./tools/open-file.js";

/** In the order of the official VS Code extension. */
const TOOLS: ReadonlyMap<string, Tool> = new Map(
  [
    openDiffTool,
    getDiagnosticsTool,
    closeTabTool,
    closeAllDiffTabsTool,
    openFileTool,
    getOpenEditorsTool,
    getWorkspaceFoldersTool,
    getCurrentSelectionTool,
  ].map((tool) => [tool.contract.name, tool]),
);

/** Made once, when the first agent asks. */
const descriptions = new Map<Tool, Record<string, unknown>>();

/** Only what the editor can do. */
export function listTools(abilities: Abilities): readonly Record<string, unknown>[] {
  const offered = [...TOOLS.values()].filter((tool) => tool.available(abilities));
  return offered.map((tool) => {
    const description = descriptions.get(tool) ?? describeTool(tool.contract);
    descriptions.set(tool, description);
    return description;
  });
}

/** Throws an RpcError for a call that no editor could take. */
export function callTool(
  name: string,
  args: Record<string, unknown>,
  context: ToolContext,
): ToolResult | Promise<ToolResult> {
  const tool = TOOLS.get(name);
  if (!tool) throw invalidParams(`there is no tool ${JSON.stringify(name)}`);
  const input = tool.contract.input.safeParse(args);
  if (!input.success) throw invalidParams(`${name}: ${z.prettifyError(input.error)}`);
  if (!tool.available(context.session.abilities)) {
    return errorResult(`This editor does not offer ${name}.`);
  }
  return tool.call(input.data, context);
}
