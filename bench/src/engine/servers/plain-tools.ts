/**
 * The two tools that the bench calls, as a hand-written server has them: no check of anything, and
 * results of the same bytes as Lockstep's.
 */
export function callPlainTool(name: string, args: PlainArguments, workspace: string): PlainResult {
  if (name === "openDiff") return texts("FILE_SAVED", args.new_file_contents ?? "");
  const label = workspace.slice(workspace.lastIndexOf("/") + 1);
  const folder = { name: label, uri: `file://${workspace}`, path: workspace, index: 0 };
  const answer = {
    success: true,
    folders: [folder],
    rootPath: workspace,
    workspaceFile: null,
  };
  return texts(JSON.stringify(answer, null, 2));
}

export interface PlainArguments {
  readonly new_file_contents?: string;
}

export interface PlainResult extends Record<string, unknown> {
  readonly content: { readonly type: "text"; readonly text: string }[];
}

export const PLAIN_TOOLS = ["openDiff", "getWorkspaceFolders"].map((name) => ({
  name,
  description: name,
  inputSchema: { type: "object" as const },
}));

function texts(...all: readonly string[]): PlainResult {
  return { content: all.map((text) => ({ type: "text", text })) };
}
