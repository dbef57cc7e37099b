import {
  AtMentionedParams,
  CurrentFile,
  checkDocumentDirty,
  closeTab,
  DiagnosticsChangedParams,
  DiagnosticsReply,
  DocumentDirtyReply,
  executeCode,
  FileNames,
  getDiagnostics,
  Notification,
  OpenEditorsReply,
  OpenFileReply,
  OpenFilesReply,
  openDiff,
  openFile,
  openFiles,
  reformatFile,
  SaveDocumentReply,
  type Schema,
  SelectionReply,
  saveDocument,
  WorkspaceFoldersReply,
  WorkspaceInfo,
} from "@lockstep/protocol";

/** By their names, what holds paths: in what tools take (executeCode takes a text that is none), */
export const TOOL_INPUTS: ReadonlyMap<string, Schema> = new Map(
  [
    openDiff,
    openFile,
    openFiles,
    closeTab,
    getDiagnostics,
    checkDocumentDirty,
    saveDocument,
    reformatFile,
    executeCode,
  ].map(({ name, input }) => [name, input]),
);

/** in what they answer, as JSON in a text, */
export const TOOL_REPLIES: ReadonlyMap<string, Schema> = new Map<string, Schema>([
  ["getCurrentSelection", SelectionReply],
  ["getLatestSelection", SelectionReply],
  ["getOpenEditors", OpenEditorsReply],
  ["getWorkspaceFolders", WorkspaceFoldersReply],
  ["getDiagnostics", DiagnosticsReply],
  ["checkDocumentDirty", DocumentDirtyReply],
  ["saveDocument", SaveDocumentReply],
  ["openFile", OpenFileReply],
  ["open_files", OpenFilesReply],
]);

/** in the answers of Obsidian's methods, */
export const VAULT_REPLIES: ReadonlyMap<string, Schema> = new Map<string, Schema>([
  ["listFiles", FileNames],
  ["getOpenFiles", FileNames],
  ["getCurrentFile", CurrentFile],
  ["getWorkspaceInfo", WorkspaceInfo],
]);

/** and in what editors tell unasked. */
export const NOTIFICATIONS: ReadonlyMap<string, Schema> = new Map<string, Schema>([
  [Notification.selectionChanged, SelectionReply],
  [Notification.didChangeActiveEditor, SelectionReply],
  [Notification.atMentioned, AtMentionedParams],
  [Notification.diagnosticsChanged, DiagnosticsChangedParams],
]);
