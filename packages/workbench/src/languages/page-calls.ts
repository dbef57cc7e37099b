import type { Uri } from "@lockstep/protocol";
import type { Hover, languageCalls, TextPosition, TextRange } from "../contract/languages.js";
import { WorkbenchError } from "../errors.js";
import type { Handlers } from "../windows/router.js";
import type { Actions } from "./actions.js";
import { ServerRefusal } from "./asking-errors.js";
import { CompletionLists, NO_COMPLETIONS } from "./completions.js";
import type { EditUndo } from "./edit-undo.js";
import { type FollowedText, offsetAt, positionAt } from "./followed-text.js";
import type { FollowedTexts } from "./followed-texts.js";
import { Inquiries } from "./inquiries.js";
import type { LanguageServer } from "./language-server.js";
import * as lsp from "./lsp.js";
import { markdown } from "./markdown.js";
import type { Places } from "./places.js";
import type { RunningServer } from "./running-server.js";
import { signatureHelp } from "./signatures.js";
import { documentSymbols } from "./symbols.js";
import type { WorkspaceEdits } from "./workspace-edits.js";

/** References and renames look through a whole project. */
const WHOLE_PROJECT_MS = 20_000;

/** So many of the last renames can be taken back. */
const MOST_RENAMES = 10;

/** A question to the person may come first. */
const FORMAT_MS = 90_000;

export interface PageSurroundings {
  readonly texts: FollowedTexts;
  /** Those that know the language, the one to ask first. */
  readonly serversOf: (languageId: string) => readonly LanguageServer[];
  readonly places: Places;
  readonly edits: WorkspaceEdits;
  readonly newUndo: () => EditUndo;
  readonly actions: Actions;
  readonly format: (uri: Uri, range: TextRange | undefined, signal: AbortSignal) => Promise<void>;
  readonly restart: (id: string) => Promise<void>;
}

interface Answer {
  readonly text: FollowedText;
  readonly running: RunningServer;
  readonly answer: unknown;
}

/** What a page may ask of the language servers. */
export function pageCalls(around: PageSurroundings): Handlers<typeof languageCalls> {
  const { texts, serversOf, places, edits, actions } = around;
  const inquiries = new Inquiries();
  const lists = new CompletionLists();
  const renames = new Map<string, EditUndo>();
  let lastRename = 0;

  return {
    "language.complete": ({ uri, position, trigger }, window) =>
      inquiries.ask(window, "complete", NO_COMPLETIONS, async (signal) => {
        const context = trigger
          ? { triggerKind: 2, triggerCharacter: trigger }
          : { triggerKind: 1 };
        const got = await ask("textDocument/completion", { uri, position, context }, signal);
        if (!got) return NO_COMPLETIONS;
        return lists.take(window, got.running, got.answer, wordBefore(got.text, position));
      }),
    "language.completion": ({ list, item }, window) =>
      inquiries.ask(window, "completion", NO_DETAIL, (signal) =>
        lists.detail(window, list, item, signal),
      ),
    "language.hover": ({ uri, position }, window) =>
      inquiries.ask(window, "hover", null, async (signal) => {
        const got = await ask("textDocument/hover", { uri, position }, signal);
        return got ? hoverOf(got.answer) : null;
      }),
    "language.signature": ({ uri, position, trigger }, window) =>
      inquiries.ask(window, "signature", null, async (signal) => {
        const context = trigger
          ? { triggerKind: 2, triggerCharacter: trigger, isRetrigger: false }
          : { triggerKind: 1, isRetrigger: false };
        const got = await ask("textDocument/signatureHelp", { uri, position, context }, signal);
        return got ? signatureHelp(got.answer) : null;
      }),
    "language.definition": ({ uri, position, what }, window) =>
      inquiries.ask(window, "definition", [], async (signal) => {
        const got = await ask(`textDocument/${what}`, { uri, position }, signal);
        return got ? places.read(got.answer) : [];
      }),
    "language.references": ({ uri, position }, window) =>
      inquiries.ask(window, "references", [], async (signal) => {
        const context = { includeDeclaration: true };
        const got = await ask("textDocument/references", { uri, position, context }, signal);
        return got ? places.read(got.answer) : [];
      }),
    "language.nameAt": ({ uri, position }, window) =>
      inquiries.ask(window, "nameAt", null, (signal) => nameAt(uri, position, signal)),
    "language.rename": ({ uri, position, name }, window) =>
      inquiries.ask(window, "rename", NOTHING_RENAMED, async (signal) => {
        const versions = versionsNow();
        const got = await ask("textDocument/rename", { uri, position, newName: name }, signal);
        if (!got) throw new WorkbenchError("No language server can rename this.");
        if (got.answer === null) throw new WorkbenchError("There is nothing to rename here.");
        const undo = around.newUndo();
        const changed = await edits.apply(got.answer, { verb: "Rename in", versions, undo });
        return { ...changed, undo: undo.isPartial ? null : remember(undo) };
      }),
    "language.undoRename": async ({ undo }) => {
      const rename = renames.get(undo);
      if (!rename) throw new WorkbenchError("This rename was taken back, or is too old.");
      await rename.takeBack();
      renames.delete(undo);
    },
    "language.symbols": ({ uri }, window) =>
      inquiries.ask(window, "symbols", [], async (signal) => {
        const got = await ask("textDocument/documentSymbol", { uri }, signal);
        return got ? documentSymbols(got.answer) : [];
      }),
    "language.actions": (where, window) =>
      inquiries.ask(window, "actions", [], async (signal) => {
        const text = texts.get(where.uri);
        if (!text) return [];
        const around = { versions: versionsNow(), signal };
        return actions.offer(window, serversOf(text.languageId), where, around);
      }),
    "language.act": ({ id }, window) =>
      inquiries.ask(window, "act", NOTHING_CHANGED, (signal) => actions.act(window, id, signal)),
    "language.format": ({ uri, range }, window) =>
      inquiries.ask(
        window,
        "format",
        undefined,
        (signal) => around.format(uri, range, signal),
        FORMAT_MS,
      ),
    "language.restart": ({ id }) => around.restart(id),
  };

  /** The first server that offers it; null if none does, or the text is not one that servers know. */
  async function ask(
    method: string,
    { uri, ...params }: { readonly uri: Uri } & Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<Answer | null> {
    const text = texts.get(uri);
    const running = text && (await offering(text, method, signal));
    if (!running) return null;
    const all = { textDocument: { uri }, ...params };
    const answer = await running.request(method, all, { signal, withinMs: WHOLE_PROJECT_MS });
    return { text: texts.get(uri) ?? text, running, answer };
  }

  async function offering(text: FollowedText, method: string, signal: AbortSignal) {
    for (const server of serversOf(text.languageId)) {
      const running = await server.ready(signal);
      if (running?.offer(method)) return running;
    }
    return null;
  }

  async function nameAt(uri: Uri, position: TextPosition, signal: AbortSignal) {
    const text = texts.get(uri);
    const running = text && (await offering(text, "textDocument/rename", signal));
    if (!running) return null;
    if (running.offer("textDocument/rename")?.prepareProvider !== true)
      return wordAt(text, position);
    const params = { textDocument: { uri }, position };
    const answer = await running
      .request("textDocument/prepareRename", params, { signal })
      .catch((problem: unknown) => {
        // It says so when there is nothing to rename.
        if (problem instanceof ServerRefusal) return null;
        throw problem;
      });
    const { data } = lsp.prepareRename.safeParse(answer);
    if (!data) return null;
    if ("defaultBehavior" in data) return wordAt(text, position);
    if ("placeholder" in data) return { range: data.range, name: data.placeholder };
    return { range: data, name: sliceOf(text, data) };
  }

  function remember(undo: EditUndo): string {
    const name = String(++lastRename);
    renames.set(name, undo);
    for (const old of [...renames.keys()].slice(0, -MOST_RENAMES)) renames.delete(old);
    return name;
  }

  function versionsNow(): ReadonlyMap<Uri, number> {
    return new Map(texts.all().map(({ uri, version }) => [uri, version]));
  }
}

const NO_DETAIL = { detail: "", documentation: "", edits: [] };
const NOTHING_CHANGED = { files: 0, edits: 0 };
const NOTHING_RENAMED = { ...NOTHING_CHANGED, undo: null };

function hoverOf(answer: unknown): Hover | null {
  const { data } = lsp.hover.safeParse(answer);
  const text = markdown(data?.contents);
  if (!data || text === "") return null;
  return { text, ...(data.range ? { range: data.range } : {}) };
}

const sliceOf = ({ text }: FollowedText, { start, end }: lsp.Range): string =>
  text.sliceString(offsetAt(text, start), offsetAt(text, end));

/** The part of a word that stands before the cursor. */
function wordBefore({ text }: FollowedText, position: TextPosition): string {
  const at = offsetAt(text, position);
  const line = text.lineAt(at);
  return /[\p{L}\p{N}_$]*$/u.exec(line.text.slice(0, at - line.from))?.[0] ?? "";
}

function wordAt(followed: FollowedText, position: TextPosition) {
  const { text } = followed;
  const at = offsetAt(text, position);
  const line = text.lineAt(at);
  const before = wordBefore(followed, position).length;
  const after = /^[\p{L}\p{N}_$]*/u.exec(line.text.slice(at - line.from))?.[0].length ?? 0;
  if (before + after === 0) return null;
  const range = { start: positionAt(text, at - before), end: positionAt(text, at + after) };
  return { range, name: sliceOf(followed, range) };
}
