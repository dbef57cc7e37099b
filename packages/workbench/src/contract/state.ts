import type { Uri } from "@lockstep/protocol";
import type { AgentInfo, Question, Rival, Sight } from "./agents.js";
import type { DocumentInfo, TabInfo } from "./documents.js";
import type { FileProblems, LanguageServerInfo } from "./languages.js";
import type { NotebookInfo } from "./notebooks.js";
import type { Permission } from "./permissions.js";
import type { ProposalInfo } from "./reviews.js";
import type { SettingsState } from "./settings.js";
import type { TerminalInfo } from "./terminals.js";
import type { TurnInfo } from "./turns.js";

/**
 * What all windows show. The workbench is the authority; a window has a copy and applies patches to
 * it. A slice is a value that is replaced as a whole, or a record whose entries are.
 */
export interface State {
  readonly workspace: WorkspaceInfo;
  /** Where agents connect; null while they cannot. */
  readonly endpoint: { readonly port: number; readonly lockFile: string } | null;
  readonly sharing: { readonly on: boolean; readonly sight: Sight };
  readonly rivals: readonly Rival[];
  readonly settings: SettingsState;
  readonly tabs: readonly TabInfo[];
  /** What `files.undo` would take back, such as "Delete notes.md"; null for nothing. */
  readonly fileUndo: string | null;
  readonly documents: Readonly<Record<Uri, DocumentInfo>>;
  readonly proposals: Readonly<Record<string, ProposalInfo>>;
  readonly agents: Readonly<Record<string, AgentInfo>>;
  readonly questions: Readonly<Record<string, Question>>;
  readonly terminals: Readonly<Record<string, TerminalInfo>>;
  readonly notices: Readonly<Record<string, Notice>>;
  readonly work: Readonly<Record<string, Work>>;
  readonly permissions: Readonly<Record<string, Permission>>;
  readonly problems: Readonly<Record<Uri, FileProblems>>;
  readonly languageServers: Readonly<Record<string, LanguageServerInfo>>;
  /** The documents that are notebooks. */
  readonly notebooks: Readonly<Record<Uri, NotebookInfo>>;
  readonly turns: Readonly<Record<string, TurnInfo>>;
}

export interface WorkspaceInfo {
  readonly name: string;
  readonly folders: readonly { readonly uri: Uri; readonly path: string; readonly name: string }[];
  /** The git branch of the first folder; null without one. */
  readonly branch: string | null;
}

/** Something that the person should know; it stays until it is dismissed or over. */
export interface Notice {
  readonly id: string;
  readonly severity: "information" | "warning" | "error";
  /** A sentence that says what to do. */
  readonly text: string;
}

/** Something that takes long. */
export interface Work {
  readonly id: string;
  readonly title: string;
  /** 0 to 1; null if nobody can say. */
  readonly progress: number | null;
}

/** The slices that are records of entries. */
export type Collection =
  | "documents"
  | "proposals"
  | "agents"
  | "questions"
  | "terminals"
  | "notices"
  | "work"
  | "permissions"
  | "problems"
  | "languageServers"
  | "notebooks"
  | "turns";
export type Slice = Exclude<keyof State, Collection>;

/** One step from a state to the next. */
export type Step =
  | { readonly kind: "slice"; readonly slice: Slice; readonly value: unknown }
  | {
      readonly kind: "entry";
      readonly collection: Collection;
      readonly key: string;
      /** Null takes the entry out. */
      readonly value: unknown;
    };

/** Numbered without a gap; a window that misses one asks for everything again. */
export type Patch = Step & { readonly sequence: number };
