import {
  checkDocumentDirty,
  closeAllDiffTabs,
  closeTab,
  DiagnosticsReply,
  DocumentDirtyReply,
  executeCode,
  getAllOpenedFilePaths,
  getCurrentSelection,
  getDiagnostics,
  getLatestSelection,
  getOpenEditors,
  getWorkspaceFolders,
  OpenEditorsReply,
  OpenFileReply,
  OpenFilesReply,
  openDiff,
  openFile,
  openFiles,
  type RequestOptions,
  reformatFile,
  SaveDocumentReply,
  SelectionReply,
  saveDocument,
  WorkspaceFoldersReply,
} from "@lockstep/protocol";
import { readFileDiagnostics } from "./diagnostics.js";
import { readDiffAnswer } from "./diff-answer.js";
import { pathOf } from "./file-path.js";
import { readSelection, type Selection } from "./selection.js";
import type { ToolReply } from "./tool-reply.js";
import { callTyped, type TypedCall, typedTool } from "./typed-tool.js";

/** Every tool that editors are documented to have, under its name on the wire. */
const TOOLS = {
  openDiff: typedTool({
    contract: openDiff,
    waitsForPerson: true,
    complete: (input) => ({ new_file_path: input.old_file_path, ...input }),
    abandon: ({ tab_name }) => ({ name: closeTab.name, arguments: { tab_name } }),
    read: ({ texts }, { new_file_contents }) => readDiffAnswer(texts, new_file_contents),
  }),
  openFile: typedTool({
    contract: openFile,
    waitsForPerson: true,
    complete: (input) => ({ startText: "", endText: "", ...input }),
    read: (reply) => {
      const { data } = OpenFileReply.safeParse(reply.data);
      return { message: data?.message ?? reply.text, lineCount: data?.lineCount ?? null };
    },
  }),
  open_files: typedTool({
    contract: openFiles,
    waitsForPerson: true,
    read: (reply) => reply.as(OpenFilesReply).opened_files,
  }),
  close_tab: typedTool({ contract: closeTab, waitsForPerson: true, read: () => undefined }),
  /** How many were closed. */
  closeAllDiffTabs: typedTool({
    contract: closeAllDiffTabs,
    read: ({ text }) => Number(/^CLOSED_(\d+)_DIFF_TABS$/.exec(text)?.[1] ?? 0),
  }),
  /** Null where no document is active. */
  getCurrentSelection: typedTool({ contract: getCurrentSelection, read: selectionOrNull }),
  /** Null where nothing was ever selected. */
  getLatestSelection: typedTool({ contract: getLatestSelection, read: selectionOrNull }),
  getOpenEditors: typedTool({
    contract: getOpenEditors,
    read: (reply) =>
      reply.as(OpenEditorsReply).tabs.map((tab) => ({
        uri: tab.uri,
        path: pathOf(tab.uri),
        label: tab.label ?? tab.uri,
        languageId: tab.languageId ?? null,
        lineCount: tab.lineCount ?? null,
        isActive: tab.isActive ?? false,
        isDirty: tab.isDirty ?? false,
      })),
  }),
  get_all_opened_file_paths: typedTool({
    contract: getAllOpenedFilePaths,
    read: ({ text }) => text.split("\n").filter((path) => path !== ""),
  }),
  getWorkspaceFolders: typedTool({
    contract: getWorkspaceFolders,
    read: (reply) => reply.as(WorkspaceFoldersReply).folders.map(({ path }) => path),
  }),
  /** Of one file, or of all that have any. */
  getDiagnostics: typedTool({
    contract: getDiagnostics,
    read: (reply) => reply.as(DiagnosticsReply).map(readFileDiagnostics),
  }),
  /** Null where the document is not open. */
  checkDocumentDirty: typedTool({
    contract: checkDocumentDirty,
    read: (reply) => {
      const { success, isDirty } = reply.as(DocumentDirtyReply);
      return success === false ? null : (isDirty ?? false);
    },
  }),
  saveDocument: typedTool({
    contract: saveDocument,
    read: (reply) => {
      const { success, saved, message } = reply.as(SaveDocumentReply);
      return { saved: saved ?? success ?? false, message: message ?? "" };
    },
  }),
  reformat_file: typedTool({ contract: reformatFile, read: () => undefined }),
  /** Texts and images, in the order of the output. */
  executeCode: typedTool({
    contract: executeCode,
    waitsForPerson: true,
    read: ({ content }) => content,
  }),
} as const;

type ToolName = keyof typeof TOOLS;

/** The names of them all. */
export const TOOL_NAMES: readonly string[] = Object.keys(TOOLS);

/** The tools as functions. Each rejects with an IdeError where the tool says that it failed. */
export type Tools = { readonly [Name in ToolName]: TypedCall<(typeof TOOLS)[Name]> };

export function typedTools(request: Parameters<typeof callTyped>[1]): Tools {
  const entries = Object.entries(TOOLS).map(([name, tool]) => {
    const call = (input: unknown, options?: RequestOptions) =>
      callTyped(tool as never, request, input, options);
    return [name, call];
  });
  return Object.fromEntries(entries);
}

function selectionOrNull(reply: ToolReply): Selection | null {
  const selection = reply.as(SelectionReply);
  return selection.success === false ? null : readSelection(selection);
}
