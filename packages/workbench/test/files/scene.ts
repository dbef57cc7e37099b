import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type ChangeSpec, Text } from "@codemirror/state";
import { fileUri, type Uri } from "@lockstep/protocol";
import { onTestFinished, vi } from "vitest";
import type { EventName, Events } from "../../src/contract/index.js";
import { Files } from "../../src/files/files.js";
import type { OpenDocuments } from "../../src/files/open-documents.js";
import { initialState } from "../../src/state/initial-state.js";
import { Store } from "../../src/state/store.js";
import { SharedText } from "../../src/texts/shared-text.js";
import type { Window } from "../../src/windows/window.js";

export interface SceneOptions {
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  readonly git?: boolean;
  /** Names of folders; one without a name by default. */
  readonly folders?: readonly string[];
}

type Heard = { [Name in EventName]: { name: Name; event: Events[Name] } }[EventName];

/** A real folder with real files, git and watcher; documents that only have a text. */
export class Scene {
  readonly heard: Heard[] = [];
  readonly moves: [Uri, Uri][] = [];
  readonly noticed: string[] = [];
  readonly problems: unknown[] = [];
  readonly texts = new Map<Uri, SharedText>();
  readonly window: Window;
  readonly #closers: (() => void)[] = [];
  #files: Files | null = null;

  private constructor(
    readonly root: string,
    readonly folder: string,
    readonly folders: readonly string[],
    readonly store: Store,
  ) {
    this.window = {
      number: 1,
      send: (name, event) => this.#hear({ name, event } as Heard),
      onClose: (listener) => {
        this.#closers.push(listener);
        return { [Symbol.dispose]: () => {} };
      },
    };
  }

  static async open({ files = {}, git = false, folders }: SceneOptions = {}): Promise<Scene> {
    const root = await realpath(await mkdtemp(join(tmpdir(), "lockstep-files-")));
    const paths = (folders ?? ["project"]).map((name) => join(root, name));
    const folder = paths[0]!;
    for (const path of paths) await mkdir(path, { recursive: true });
    const scene = new Scene(root, folder, paths, new Store(initialState(folder)));
    onTestFinished(() => scene.close(), 120_000);
    for (const [name, content] of Object.entries(files)) await scene.write(name, content);
    if (git) {
      scene.git("init", "-q", "-b", "main");
      scene.git("config", "user.email", "ada@example.com");
      scene.git("config", "user.name", "Ada");
    }
    return scene;
  }

  get files(): Files {
    return this.#files!;
  }

  /** Opens the part under test; after that it watches and knows git's state. */
  async start(): Promise<Files> {
    const surroundings = {
      store: this.store,
      folders: this.folders,
      stateDir: join(this.root, "state"),
      report: (problem: unknown) => void this.problems.push(problem),
      broadcast: <Name extends EventName>(name: Name, event: Events[Name]) =>
        this.#hear({ name, event } as Heard),
    };
    this.#files = await Files.open(surroundings, this.#documents());
    await this.#files.ready;
    return this.#files;
  }

  uri(name: string): Uri {
    return fileUri(join(this.folder, name));
  }

  async write(name: string, content: string | Uint8Array = ""): Promise<void> {
    const path = join(this.folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }

  git(...args: string[]): string {
    return execFileSync("git", args, { cwd: this.folder, encoding: "utf8", stdio: "pipe" });
  }

  commitAll(): void {
    this.git("add", "-A");
    this.git("commit", "-q", "-m", "x");
  }

  /** Opens a document with unsaved edits. */
  edit(uri: Uri, text: string, label = "a"): SharedText {
    const shared = new SharedText(Text.of(text.split("\n")));
    this.texts.set(uri, shared);
    const info = { place: "", languageId: "", lineEnds: "lf", encoding: "utf-8", size: 1 } as const;
    const none = { readOnly: null, clash: null, trouble: null };
    this.store.put("documents", uri, { uri, label, dirty: true, ...info, ...none });
    return shared;
  }

  async list(name = ""): Promise<readonly string[]> {
    const entries = await this.files.handlers["files.list"](
      { uri: name === "" ? fileUri(this.folder) : this.uri(name) },
      this.window,
    );
    return entries.map(({ name, kind, git, ignored, link }) =>
      [
        kind === "folder" ? `${name}/` : name,
        kind === "other" && "other",
        git,
        ignored && "ignored",
        link && "link",
      ]
        .filter(Boolean)
        .join(" "),
    );
  }

  async find(query: string, limit = 20): Promise<readonly string[]> {
    const found = await this.files.handlers["files.find"]({ query, limit }, this.window);
    return found.map(({ path }) => path);
  }

  closeWindow(): void {
    for (const listener of this.#closers) listener();
  }

  /** Waits until it holds: what it asks for may change without a word. */
  async until(condition: () => boolean | Promise<boolean>): Promise<void> {
    await vi.waitUntil(condition, { timeout: 20_000 });
  }

  async close(): Promise<void> {
    await this.#files?.[Symbol.asyncDispose]();
    await rm(this.root, { recursive: true, force: true });
  }

  #hear(heard: Heard): void {
    this.heard.push(heard);
  }

  #documents(): OpenDocuments {
    return {
      get: (uri) => {
        const shared = this.texts.get(uri);
        return shared ? { shared } : null;
      },
      edit: (uri: Uri, changes: ChangeSpec, by?: string) => this.texts.get(uri)?.edit(changes, by),
      moved: async (from, to) => void this.moves.push([from, to]),
      noticeDisk: async (paths = []) => void this.noticed.push(...paths),
    };
  }
}
