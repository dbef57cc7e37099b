import { relative, sep } from "node:path";
import type { Text } from "@codemirror/state";
import { filePath, isWithin, parseUri, type Uri } from "@lockstep/protocol";
import type { Place } from "../contract/languages.js";
import { readDisk } from "../documents/disk-file.js";
import { decode } from "../documents/text-format.js";
import * as lsp from "./lsp.js";

const MOST_PLACES = 2_000;
/** Files that are read for their lines; places in others have none. */
const MOST_FILES = 500;
/** Characters of a line in a list. */
const LONGEST_LINE = 300;

/** Makes places of what servers answer: with the path as people know it, and the line's text. */
export class Places {
  readonly #folders: readonly string[];
  readonly #textOf: (uri: Uri) => Text | null;

  /** `textOf` knows the texts that are open, unsaved edits included. */
  constructor(folders: readonly string[], textOf: (uri: Uri) => Text | null) {
    this.#folders = folders;
    this.#textOf = textOf;
  }

  /** In the order of the answer, each once. */
  async read(answer: unknown): Promise<readonly Place[]> {
    const locations = lsp.goodOnes(
      lsp.anyLocation,
      Array.isArray(answer) ? answer : [answer],
      MOST_PLACES,
    );
    const texts = new Map<Uri, Text | null>();
    const places = new Map<string, Place>();
    for (const { uri: name, range } of locations) {
      const uri = parseUri(name);
      if (!uri) continue;
      if (!texts.has(uri)) texts.set(uri, texts.size < MOST_FILES ? await this.#text(uri) : null);
      const text = lineOf(texts.get(uri) ?? null, range.start.line);
      places.set(JSON.stringify([uri, range]), {
        uri,
        path: workspacePath(this.#folders, uri),
        range,
        text,
      });
    }
    return [...places.values()];
  }

  async #text(uri: Uri): Promise<Text | null> {
    const open = this.#textOf(uri);
    const path = filePath(uri);
    if (open || path === null) return open;
    const disk = await readDisk(path);
    return disk.kind === "file" ? decode(disk.bytes).text : null;
  }
}

/** From the workspace on, with slashes; whole if it is outside. */
export function workspacePath(folders: readonly string[], uri: Uri): string {
  const path = filePath(uri);
  if (path === null) return uri;
  const root = folders.find((folder) => isWithin(path, folder));
  return root === undefined ? path : relative(root, path).split(sep).join("/");
}

function lineOf(text: Text | null, line: number): string {
  if (!text || line >= text.lines) return "";
  return text.line(line + 1).text.slice(0, LONGEST_LINE);
}
