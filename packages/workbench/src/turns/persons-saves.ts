import { filePath, isWithin, type Uri } from "@lockstep/protocol";
import type { Documents, DocumentsChange } from "../documents/documents.js";
import type { Content } from "./image.js";

/** Changes by these are not the person's typing. */
const NOT_TYPED: ReadonlySet<string> = new Set([
  ...["disk", "review", "revert", "save", "turn", "format"],
]);

/** What a person has typed and saved in the editor since the checkpoint, so that it is no news of a turn. */
export class PersonsSaves {
  readonly #root: string;
  readonly #documents: Documents;
  /** By path: the copies' names of the contents that were saved. */
  readonly #saves = new Map<string, Set<Content>>();
  /** Documents that the person has typed into, and what their files were then. */
  readonly #typed = new Map<Uri, string | null>();

  constructor(root: string, documents: Documents) {
    this.#root = root;
    this.#documents = documents;
  }

  /** Whether the person has saved this very content there. */
  has(path: string, content: Content): boolean {
    return this.#saves.get(path)?.has(content) ?? false;
  }

  /** Another turn begins. */
  clear(): void {
    this.#saves.clear();
  }

  /** Answers the files that have just been saved: absolute paths. */
  notice(change: DocumentsChange): readonly string[] {
    if (change.kind === "text") {
      this.#noticeTyping(change.uri, change.change.by);
      return [];
    }
    return [...this.#typed].flatMap(([uri, hash]) => {
      const document = this.#documents.get(uri);
      if (document?.dirty) return [];
      this.#typed.delete(uri);
      const saved = document?.saved.stamp?.hash;
      return saved && saved !== hash ? this.#note(uri, saved) : [];
    });
  }

  #noticeTyping(uri: Uri, by: string): void {
    if (NOT_TYPED.has(by) || this.#typed.has(uri)) return;
    const document = this.#documents.get(uri);
    if (document) this.#typed.set(uri, document.saved.stamp?.hash ?? null);
  }

  #note(uri: Uri, hash: string): readonly string[] {
    const path = filePath(uri);
    if (path === null || !isWithin(path, this.#root)) return [];
    const name = path.slice(this.#root.length + 1);
    const saves = this.#saves.get(name) ?? new Set();
    this.#saves.set(name, saves.add(`copy:${hash}`));
    return [path];
  }
}
