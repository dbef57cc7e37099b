import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Abilities, Diagnostic, FileDiagnostics } from "@lockstep/editor";
import { filePath, fileUri, type Uri } from "@lockstep/protocol";

/**
 * A language server that finds an error in each line that holds BROKEN. Like a real one it knows of
 * a file what it has looked at last: `look` is its pass over the disk. Asked for one file it answers
 * from memory, because the CLI asks that before it writes and does not wait for the answer; asked for
 * all files, which happens after a write, it looks first.
 */
export class ToyLinter {
  readonly #folder: string;
  #known = new Map<Uri, readonly Diagnostic[]>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  look(): void {
    const files = readdirSync(this.#folder, { withFileTypes: true, recursive: true });
    this.#known = new Map(
      files
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
        .map((path) => [fileUri(path), lint(readFileSync(path, "utf8"))]),
    );
  }

  diagnostics: NonNullable<Abilities["diagnostics"]> = async ({ uri }) => {
    if (uri !== undefined) return [{ uri, items: this.#known.get(uri) ?? [] }];
    this.look();
    const all: FileDiagnostics[] = [...this.#known].map(([file, items]) => ({ uri: file, items }));
    return all.filter(({ items }) => items.length > 0);
  };
}

function lint(text: string): Diagnostic[] {
  return text.split("\n").flatMap((content, line): Diagnostic[] => {
    const character = content.indexOf("BROKEN");
    if (character < 0) return [];
    const range = { start: { line, character }, end: { line, character: character + 6 } };
    return [{ message: `"${content}" is broken`, severity: "error", range, source: "toy" }];
  });
}

/** Where a file's text comes from; null for no such file. */
export async function load(uri: Uri): Promise<string | null> {
  try {
    return readFileSync(filePath(uri) ?? "", "utf8");
  } catch {
    return null;
  }
}
