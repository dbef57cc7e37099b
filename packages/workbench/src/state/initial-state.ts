import { basename } from "node:path";
import { fileUri, printable } from "@lockstep/protocol";
import { DEFAULTS } from "../contract/settings.js";
import type { State } from "../contract/state.js";

/** The state before any part has put something into it. */
export function initialState(folder: string): State {
  const name = printable(basename(folder) || folder);
  return {
    workspace: { name, folders: [{ uri: fileUri(folder), path: folder, name }], branch: null },
    endpoint: null,
    sharing: { on: true, sight: { kind: "nothing" } },
    rivals: [],
    settings: {
      now: DEFAULTS,
      user: {},
      project: {},
      files: { user: "", project: "" },
      problems: [],
    },
    tabs: [],
    fileUndo: null,
    documents: {},
    proposals: {},
    agents: {},
    questions: {},
    terminals: {},
    notices: {},
    work: {},
    permissions: {},
    problems: {},
    languageServers: {},
    notebooks: {},
    turns: {},
  };
}
