import {
  checkDocumentDirty,
  closeAllDiffTabs,
  closeTab,
  executeCode,
  getAllOpenedFilePaths,
  getCurrentSelection,
  getDiagnostics,
  getLatestSelection,
  getOpenEditors,
  getWorkspaceFolders,
  openDiff,
  openFile,
  openFiles,
  reformatFile,
  saveDocument,
  type ToolContract,
} from "@lockstep/protocol";

/** Tools that are documented to look and to change nothing. */
const READING: readonly ToolContract[] = [
  getCurrentSelection,
  getLatestSelection,
  getOpenEditors,
  getAllOpenedFilePaths,
  getWorkspaceFolders,
  getDiagnostics,
  checkDocumentDirty,
];

/** Opening a file is among them: it changes what the person looks at. */
const WRITING: readonly ToolContract[] = [
  openDiff,
  openFile,
  openFiles,
  closeTab,
  closeAllDiffTabs,
  saveDocument,
  reformatFile,
  executeCode,
];

const READS = new Set(READING.map(({ name }) => name));
const WRITES = new Set(WRITING.map(({ name }) => name));

/**
 * Whether an agent may call a tool. Without writes these are the known ones that only look: what a
 * tool that nobody here knows says of itself (`readOnlyHint`) is its author's word and opens nothing.
 */
export function isPermitted(tool: string, allowWrites: boolean): boolean {
  return allowWrites || READS.has(tool);
}

/** What a known tool does to the person's work; undefined for one that only its author knows. */
export function isReadOnly(tool: string): boolean | undefined {
  if (READS.has(tool)) return true;
  return WRITES.has(tool) ? false : undefined;
}

/** What is listed while no editor is there, so that an agent that asks only once knows the tools. */
export function documentedTools(allowWrites: boolean): readonly ToolContract[] {
  return allowWrites ? [...READING, ...WRITING] : READING;
}
