/** A stream of random numbers that a seed determines (mulberry32). */
function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const METHODS = [
  "initialize",
  "ping",
  "tools/list",
  "tools/call",
  "prompts/list",
  "resources/list",
  "notifications/cancelled",
  "notifications/initialized",
  "ide_connected",
  "readFile",
  "listFiles",
  "getOpenFiles",
];

const TOOLS = [
  "openFile",
  "openDiff",
  "getCurrentSelection",
  "getLatestSelection",
  "getOpenEditors",
  "getWorkspaceFolders",
  "checkDocumentDirty",
  "saveDocument",
  "close_tab",
  "closeAllDiffTabs",
  "open_files",
  "executeCode",
];

const FIELDS = [
  "filePath",
  "old_file_path",
  "new_file_contents",
  "tab_name",
  "file_paths",
  "path",
  "uri",
  "requestId",
  "code",
  "preview",
  "__proto__",
];

const SPLINTERS = [
  "{",
  "}",
  "[",
  "]",
  '"',
  ",",
  ":",
  "\\",
  "\\u0000",
  "\\ud800",
  "null",
  "1e999",
  "é",
];

export interface Fuzz {
  readonly text: string | Buffer;
  readonly binary: boolean;
}

/** Makes messages: right ones, wrong ones, and right ones that were damaged on the way. */
export class Mutator {
  readonly #random: () => number;
  readonly #paths: readonly string[];
  #count = 0;

  constructor(seed: number, folder: string) {
    this.#random = random(seed);
    this.#paths = [`${folder}/a.txt`, "b.ts", "../x", "/dev/zero", `${folder}/.env`, ""];
  }

  next(): Fuzz {
    const kind = this.#random();
    if (kind < 0.05) return { text: this.#bytes(), binary: true };
    const text = JSON.stringify(kind < 0.1 ? [this.#message(), this.#message()] : this.#message());
    return { text: kind < 0.5 ? this.#damaged(text) : text, binary: false };
  }

  #pick<T>(from: readonly T[]): T {
    return from[Math.floor(this.#random() * from.length)] as T;
  }

  #message(): unknown {
    const kind = this.#random();
    if (kind < 0.05) return this.#value(3);
    if (kind < 0.1) return { jsonrpc: "2.0", id: this.#id(), result: this.#value(2) };
    const method = kind < 0.15 ? String(this.#value(0)) : this.#pick(METHODS);
    const params = method === "tools/call" ? this.#call() : this.#fields();
    return { jsonrpc: "2.0", id: this.#id(), method, params };
  }

  #call(): unknown {
    if (this.#random() < 0.1) return this.#value(2);
    return { name: this.#pick(TOOLS), arguments: this.#fields() };
  }

  #fields(): unknown {
    const entries = FIELDS.filter(() => this.#random() < 0.4).map((name) => [
      name,
      this.#random() < 0.7 ? this.#pick(this.#paths) : this.#value(2),
    ]);
    return Object.fromEntries(entries);
  }

  #id(): unknown {
    return this.#random() < 0.8 ? ++this.#count : this.#value(1);
  }

  #value(depth: number): unknown {
    const kinds: (() => unknown)[] = [
      () => null,
      () => this.#random() < 0.5,
      () => this.#pick([0, -1, 1.5, 2 ** 53, 1e308, -0]),
      () => this.#pick(["", "x", "\u0000", "\ud800", "\u202e", "x".repeat(5_000)]),
    ];
    if (depth > 0) {
      kinds.push(
        () => [this.#value(depth - 1), this.#value(depth - 1)],
        () => ({ [this.#pick(FIELDS)]: this.#value(depth - 1) }),
      );
    }
    return this.#pick(kinds)();
  }

  #damaged(text: string): string {
    const at = Math.floor(this.#random() * text.length);
    const to = at + Math.floor(this.#random() * 10);
    const kind = this.#random();
    if (kind < 0.3) return text.slice(0, at);
    if (kind < 0.6) return text.slice(0, at) + text.slice(to);
    if (kind < 0.8) return text.slice(0, at) + this.#pick(SPLINTERS) + text.slice(to);
    return text.slice(0, to) + text.slice(at);
  }

  #bytes(): Buffer {
    const length = Math.floor(this.#random() * 200);
    return Buffer.from(Array.from({ length }, () => Math.floor(this.#random() * 256)));
  }
}
