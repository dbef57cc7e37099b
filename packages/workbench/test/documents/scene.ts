import { mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileUri, type Uri } from "@lockstep/protocol";
import type { Settings } from "../../src/contract/settings.js";
import { DEFAULTS } from "../../src/contract/settings.js";
import { Documents } from "../../src/documents/documents.js";
import { initialState } from "../../src/state/initial-state.js";
import { Store } from "../../src/state/store.js";
import type { Surroundings } from "../../src/surroundings.js";
import { SharedTexts } from "../../src/texts/shared-texts.js";

/** A folder, and the documents of a workbench on it that can be ended and started again. */
export class DocumentsScene {
  documents!: Documents;
  store!: Store;
  texts = new SharedTexts();
  settings: Required<Settings> = DEFAULTS;
  readonly reported: unknown[] = [];

  private constructor(
    readonly home: string,
    readonly folder: string,
  ) {}

  static async open(): Promise<DocumentsScene> {
    const home = await realpath(await mkdtemp(join(tmpdir(), "lockstep-documents-")));
    const scene = new DocumentsScene(home, await realpath(await mkdtemp(join(home, "project-"))));
    await scene.start();
    return scene;
  }

  get stateDir(): string {
    return join(this.home, "state");
  }

  get journal(): string {
    return join(this.stateDir, "journal");
  }

  /**
   * As a new process would, after the one before has ended without a last word. `watch` runs at each
   * step of it.
   */
  async start(watch: () => void = () => {}): Promise<void> {
    await this.idle();
    this.store = new Store(initialState(this.folder));
    this.store.subscribe(watch);
    this.texts = new SharedTexts();
    const surroundings: Surroundings = {
      store: this.store,
      folders: [this.folder],
      stateDir: this.stateDir,
      report: (problem) => void this.reported.push(problem),
      broadcast: () => {},
    };
    this.documents = await Documents.open(surroundings, this.texts, () => this.settings);
  }

  /** When nothing is read or written any more. */
  async idle(): Promise<void> {
    await Promise.all(this.documents?.list().map(({ queue }) => queue.idle()) ?? []);
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  uri(name: string): Uri {
    return fileUri(this.path(name));
  }

  /** Writes a file behind the documents' back. */
  async write(name: string, content: string | Buffer): Promise<Uri> {
    await writeFile(this.path(name), content);
    return this.uri(name);
  }

  read(name: string): Promise<string> {
    return readFile(this.path(name), "utf8");
  }

  bytes(name: string): Promise<Buffer> {
    return readFile(this.path(name));
  }

  /** Writes a file and opens a lasting tab for it. */
  async show(name: string, content: string | Buffer): Promise<Uri> {
    const uri = await this.write(name, content);
    await this.documents.show(uri, false);
    return uri;
  }

  text(uri: Uri): string | undefined {
    return this.documents.get(uri)?.shared.toString();
  }

  info(uri: Uri) {
    return this.store.state.documents[uri];
  }

  tabs(): string[] {
    return this.store.state.tabs.map(({ uri }) => uri.slice(uri.lastIndexOf("/") + 1));
  }

  notices(): string[] {
    return Object.values(this.store.state.notices).map(({ text }) => text);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.documents[Symbol.asyncDispose]();
    await rm(this.home, { recursive: true, force: true });
  }
}
