import { basename } from "node:path";
import { Text } from "@codemirror/state";
import { filePath, printable, type Uri } from "@lockstep/protocol";
import type { TextRange } from "../contract/languages.js";
import type { Settings } from "../contract/settings.js";
import { LARGEST_FILE, readDisk } from "../documents/disk-file.js";
import type { Documents } from "../documents/documents.js";
import { diffTexts } from "../documents/text-diff.js";
import { decode } from "../documents/text-format.js";
import { WorkbenchError } from "../errors.js";
import type { Files } from "../files/files.js";
import { run } from "../files/process.js";
import type { Change } from "../files/replacing.js";
import type { Wish } from "../permissions/permissions.js";
import { offsetAt } from "./followed-text.js";
import type { FollowedTexts } from "./followed-texts.js";
import { bundledPrettier, type Formatter, projectFormatter } from "./formatters.js";
import { indentationOf } from "./indentation.js";
import type { LanguageServer } from "./language-server.js";
import * as lsp from "./lsp.js";
import { changesIn } from "./workspace-edits.js";

/** Agents wait ten seconds for all of it. */
const FORMAT_MS = 6_000;

export interface FormattingOptions {
  readonly folders: readonly string[];
  readonly env: () => Promise<NodeJS.ProcessEnv>;
  readonly documents: Documents;
  readonly files: Files;
  readonly texts: FollowedTexts;
  readonly settings: () => Required<Settings>;
  readonly serversOf: (languageId: string) => readonly LanguageServer[];
}

export interface FormatOrder {
  readonly uri: Uri;
  readonly range?: TextRange | undefined;
  readonly signal: AbortSignal;
  /** Whether the person lets a program of the project run; false also if they do not say. */
  readonly allow: (wish: Wish) => Promise<boolean>;
}

export interface Formatted {
  /** Who did it, for people. */
  readonly by: string;
  /** Who would have done it, had the person allowed it. */
  readonly instead: string | null;
}

/** Formats texts: by the project's own formatter, else the language server, else Prettier. */
export class Formatting {
  readonly #options: FormattingOptions;

  constructor(options: FormattingOptions) {
    this.#options = options;
  }

  /**
   * An open document gets an edit and stays unsaved, unless it was clean and an agent asks; a file that
   * is not open is written. Inside of the workspace only. Fails with a sentence.
   */
  async format(order: FormatOrder, forAgent: boolean): Promise<Formatted> {
    const { documents, files } = this.#options;
    const { uri } = order;
    const path = await files.reach(uri);
    const document = documents.get(uri);
    if (document?.readOnly) throw new WorkbenchError(document.readOnly);
    const wasClean = document ? !document.dirty : false;
    const before = document?.shared.text ?? (await fileText(path));
    const { text, ...formatted } = await this.#formatted(before, path, order);
    if (text.eq(before)) return formatted;
    if (documents.get(uri) !== document) throw changed(path);
    const changes = diffTexts(before, text) as readonly Change[];
    if (document) {
      if (!document.shared.text.eq(before)) throw changed(path);
      // An agent's is none of the person's edits, though the person can take it back.
      documents.edit(uri, [...changes], forAgent ? "format" : undefined);
      if (forAgent && wasClean) await documents.save(uri);
    } else {
      const find = async (now: string) => {
        if (now !== before.toString()) throw changed(path);
        return changes;
      };
      await files.rewrite("Format", new Map([[uri, find]]));
    }
    return formatted;
  }

  async #formatted(
    before: Text,
    path: string,
    order: FormatOrder,
  ): Promise<Formatted & { readonly text: Text }> {
    const root = this.#rootOf(path);
    const own = await projectFormatter(path, root);
    let instead: string | null = null;
    if (own && (!order.range || own.part)) {
      const allowed = await order.allow(wishOf(own));
      const text = allowed ? await this.#run(own, before, order) : null;
      if (text) return { text, by: own.name, instead };
      if (!allowed) instead = own.name;
    }
    const served = await this.#byServer(before, order);
    if (served) return { ...served, instead };
    const { tabSize, insertSpaces } = this.#indentation(before);
    const usual = { tabWidth: tabSize, useTabs: !insertSpaces };
    const prettier = await bundledPrettier(path, root, usual);
    const text = await this.#run(prettier, before, order);
    if (text) return { text, by: prettier.name, instead };
    throw new WorkbenchError(`Nobody here knows how to format ${printable(basename(path))}.`);
  }

  /** Null if it does not know the kind of file. */
  async #run(formatter: Formatter, before: Text, order: FormatOrder): Promise<Text | null> {
    const { command, cwd, name, part } = formatter;
    const more =
      order.range && part
        ? part(offsetAt(before, order.range.start), offsetAt(before, order.range.end))
        : [];
    const late = AbortSignal.timeout(FORMAT_MS);
    const signal = AbortSignal.any([order.signal, late]);
    const env = await this.#options.env();
    const chunks: Buffer[] = [];
    let size = 0;
    const onData = (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      return size <= LARGEST_FILE;
    };
    const input = before.toString();
    const args = [...command.args, ...more];
    const options = { cwd, env, input, signal, onData, withAll: true };
    const outcome = await run(command.program, args, options).catch((problem: unknown) => {
      throw new WorkbenchError(`${capital(name)} did not start (${problem}).`);
    });
    const { code, stderr } = outcome;
    if (size > LARGEST_FILE) throw new WorkbenchError(`${capital(name)} wrote too much.`);
    if (code === null) throw new WorkbenchError(`${capital(name)} took too long, so it was ended.`);
    if (code === 0 && size === 0 && input.trim() !== "")
      throw new WorkbenchError(`${capital(name)} wrote nothing, so nothing was changed.`);
    if (code === 0)
      return Text.of(
        Buffer.concat(chunks)
          .toString()
          .split(/\r\n?|\n/),
      );
    if (formatter.isUnknown(stderr)) return null;
    const why = printable(stderr.trim().split("\n")[0] ?? "").slice(0, 300);
    throw new WorkbenchError(`${capital(name)} could not format it: ${why || `code ${code}`}`);
  }

  async #byServer(
    before: Text,
    { uri, range, signal }: FormatOrder,
  ): Promise<{ readonly text: Text; readonly by: string } | null> {
    const { texts, serversOf } = this.#options;
    const followed = await texts.follow(uri);
    if (!followed) return null;
    const method = range ? "textDocument/rangeFormatting" : "textDocument/formatting";
    for (const server of serversOf(followed.languageId)) {
      const running = await server.ready(signal);
      if (!running?.offer(method)) continue;
      const options = {
        ...this.#indentation(before),
        trimTrailingWhitespace: true,
        insertFinalNewline: true,
      };
      const params = { textDocument: { uri }, ...(range ? { range } : {}), options };
      const answer = await running.request(method, params, { signal, withinMs: FORMAT_MS });
      const now = texts.get(uri)?.text;
      if (!now?.eq(before)) throw changed(filePath(uri) ?? uri);
      const changes = changesIn(before, lsp.goodOnes(lsp.textEdit, answer), uri);
      return { text: applied(before, changes), by: server.name };
    }
    return null;
  }

  #indentation(text: Text) {
    const { tabSize, insertSpaces } = this.#options.settings();
    return indentationOf(text, { tabSize, insertSpaces });
  }

  #rootOf(path: string): string {
    const { folders } = this.#options;
    return folders.find((folder) => path.startsWith(folder)) ?? folders[0] ?? "/";
  }
}

function wishOf({ name, command }: Formatter): Wish {
  const [script = ""] = command.args;
  return {
    key: ["formatter", command.program, script],
    title: `${capital(name)} may format files`,
    detail: script || command.program,
  };
}

async function fileText(path: string): Promise<Text> {
  const disk = await readDisk(path);
  if (disk.kind === "absent") throw new WorkbenchError(`${printable(path)} is not there any more.`);
  if (disk.kind === "refused") throw new WorkbenchError(disk.why);
  return decode(disk.bytes).text;
}

/** From the last to the first, so that none moves the others. */
const applied = (text: Text, changes: readonly Change[]): Text =>
  changes.reduceRight((now, { from, to = from, insert = "" }) => {
    const lines = typeof insert === "string" ? Text.of(insert.split(/\r\n?|\n/)) : insert;
    return now.replace(from, to, lines);
  }, text);

const changed = (path: string) =>
  new WorkbenchError(`${printable(basename(path))} was changed meanwhile: format it again.`);

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
