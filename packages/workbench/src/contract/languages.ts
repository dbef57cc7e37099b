import type { Uri } from "@lockstep/protocol";
import * as z from "zod/mini";
import { call } from "./call.js";
import { count, id, uri } from "./shapes.js";

/** 0-based line and UTF-16 column. */
const position = z.object({ line: count, character: count });
const range = z.object({ start: position, end: position });
export type TextPosition = z.infer<typeof position>;
export type TextRange = z.infer<typeof range>;

/** Something that is wrong with a file, as a language server says. */
export interface Problem {
  readonly range: TextRange;
  readonly severity: "error" | "warning" | "information" | "hint";
  readonly message: string;
  /** Who says so, such as "ts". */
  readonly source?: string;
  readonly code?: string;
  /** A page that explains the code. */
  readonly link?: string;
  readonly tags?: readonly ("unnecessary" | "deprecated")[];
  /** Other places that have to do with it. */
  readonly related?: readonly { readonly at: Place; readonly message: string }[];
}

/** Hints are counted nowhere: they are help, not problems. */
export interface ProblemCounts {
  readonly errors: number;
  readonly warnings: number;
  readonly informations: number;
}

/** Of so many files with problems the page is told; of more it is not. */
export const MOST_PROBLEM_FILES = 1_000;

/** The problems of one file; files without any have no entry. */
export interface FileProblems {
  readonly uri: Uri;
  /** From the workspace on, with slashes. */
  readonly path: string;
  readonly items: readonly Problem[];
  /** As many more were found than `items` has. */
  readonly more: number;
  /** Of all that were found, also of those that `items` leaves out. */
  readonly counts: ProblemCounts;
}

/** A language server of this workspace; one that nothing needed yet has no entry. */
export interface LanguageServerInfo {
  readonly id: string;
  /** Such as "TypeScript". */
  readonly name: string;
  /**
   * "working" while it starts or indexes; "waiting" between a crash and the next start; "failed"
   * when it does not start any more by itself; "missing" when the program is not on this machine.
   */
  readonly status: "working" | "ready" | "waiting" | "failed" | "missing";
  /** What it does, or what is wrong and what to do; "" for nothing. */
  readonly detail: string;
  /** Of "working": 0 to 1; null if it does not say. */
  readonly progress: number | null;
}

/** Somewhere in a file. `text` is the line, for lists. */
export interface Place {
  readonly uri: Uri;
  readonly path: string;
  readonly range: TextRange;
  readonly text: string;
}

export interface TextEdit {
  readonly range: TextRange;
  readonly text: string;
}

export interface CompletionItem {
  /** Names it in `language.completion`. */
  readonly id: number;
  readonly label: string;
  /** Behind the label, such as a signature. */
  readonly labelDetail?: string;
  /** What it belongs to, such as a module. */
  readonly description?: string;
  /** As the protocol calls it, such as "method", "keyword" or "enumMember". */
  readonly kind: string;
  /** What the typed word is compared with; the label if it is left out. */
  readonly filter?: string;
  readonly sort?: string;
  /** What takes the place of `replace`; a snippet has `${1:name}` fields. */
  readonly insert: string;
  readonly snippet: boolean;
  readonly replace?: TextRange;
  /** Typed after it, these characters take it. */
  readonly commit?: readonly string[];
  readonly deprecated?: true;
}

export interface Completions {
  /** Names this answer in `language.completion`. */
  readonly list: number;
  readonly items: readonly CompletionItem[];
  /** There are others once more is typed: ask again. */
  readonly incomplete: boolean;
}

/** What is told of one item when it is looked at, and what else it changes when it is taken. */
export interface CompletionDetail {
  readonly detail: string;
  /** Markdown. */
  readonly documentation: string;
  /** Such as an import, elsewhere in the same document. */
  readonly edits: readonly TextEdit[];
}

export interface Hover {
  /** Markdown. */
  readonly text: string;
  readonly range?: TextRange;
}

export interface SignatureHelp {
  readonly signatures: readonly {
    readonly label: string;
    /** Markdown. */
    readonly documentation: string;
    /** Where each parameter stands in `label`. */
    readonly parameters: readonly {
      readonly from: number;
      readonly to: number;
      readonly documentation: string;
    }[];
  }[];
  readonly signature: number;
  /** Null where none is being typed. */
  readonly parameter: number | null;
}

export interface DocumentSymbol {
  readonly name: string;
  readonly detail: string;
  /** As the protocol calls it, such as "class", "function" or "enumMember". */
  readonly kind: string;
  readonly range: TextRange;
  /** Of the name. */
  readonly selection: TextRange;
  readonly children: readonly DocumentSymbol[];
}

/** A quick fix, a refactoring or the like. */
export interface CodeAction {
  /** For `language.act`; good until the next `language.actions` of this window. */
  readonly id: string;
  readonly title: string;
  /** Such as "quickfix" or "refactor.extract". */
  readonly kind: string;
  readonly preferred: boolean;
  /** Why it cannot be done here, as a sentence. */
  readonly disabled?: string;
}

/** How much of how many files was changed. */
export interface Changed {
  readonly files: number;
  readonly edits: number;
}

export interface Renamed extends Changed {
  /** Takes all of it back, in `language.undoRename`; null where it cannot be taken back as one. */
  readonly undo: string | null;
}

const at = z.object({ uri, position });

/**
 * Asked when the window's edits have reached the workbench. Where no server knows the language, or the
 * server does not know, the answer is empty or null; where it fails, it fails with a sentence.
 * A new question of the same name by the same window cancels the one before.
 */
export const languageCalls = {
  "language.complete": call<Completions>()(
    z.object({ uri, position, trigger: z.optional(z.string().check(z.maxLength(10))) }),
  ),
  "language.completion": call<CompletionDetail>()(z.object({ list: count, item: count })),
  "language.hover": call<Hover | null>()(at),
  "language.signature": call<SignatureHelp | null>()(
    z.object({ uri, position, trigger: z.optional(z.string().check(z.maxLength(10))) }),
  ),
  "language.definition": call<readonly Place[]>()(
    z.object({ uri, position, what: z.enum(["definition", "typeDefinition", "implementation"]) }),
  ),
  "language.references": call<readonly Place[]>()(at),
  /** What would be renamed; null if it cannot be. */
  "language.nameAt": call<{ readonly range: TextRange; readonly name: string } | null>()(at),
  /** Open documents are edited and stay unsaved, others are rewritten; `files.undo` takes those back. */
  "language.rename": call<Renamed>()(
    z.object({ uri, position, name: z.string().check(z.minLength(1), z.maxLength(1_000)) }),
  ),
  /** Fails with a sentence, and changes nothing, where a document was edited since. */
  "language.undoRename": call<void>()(z.object({ undo: id })),
  "language.symbols": call<readonly DocumentSymbol[]>()(z.object({ uri })),
  "language.actions": call<readonly CodeAction[]>()(
    z.object({ uri, range, only: z.optional(z.string().check(z.maxLength(100))) }),
  ),
  "language.act": call<Changed>()(z.object({ id })),
  /** By the project's own formatter, else the language server, else Prettier. An undoable edit. */
  "language.format": call<void>()(z.object({ uri, range: z.optional(range) })),
  /** Starts a server anew, also one that has given up. */
  "language.restart": call<void>()(z.object({ id })),
};
