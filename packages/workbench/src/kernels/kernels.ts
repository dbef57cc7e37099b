import type { Question } from "@lockstep/editor";
import type { Uri } from "@lockstep/protocol";
import type { KernelChoice } from "../contract/kernels.js";
import type { Permissions } from "../permissions/permissions.js";
import { KernelSession } from "./kernel-session.js";
import { findKernels, type KernelSpec } from "./kernel-specs.js";

export interface KernelsOptions {
  /** Absolute paths, the main one first. */
  readonly folders: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly permissions: Permissions;
  /** Told of faults that nobody can do anything about now. */
  readonly report: (problem: unknown) => void;
  /** Puts a yes-or-no question to the person, until the signal takes it back. */
  readonly ask: (question: Question, signal: AbortSignal) => Promise<boolean>;
  /** How long a kernel may take to start. */
  readonly startPatienceMs?: number;
}

/** Python alone takes seconds on a slow disk. */
const START_PATIENCE_MS = 60_000;

/** The kernels of the notebooks, one each; they end with the workbench. */
export class Kernels implements AsyncDisposable {
  readonly #options: KernelsOptions;
  readonly #sessions = new Map<Uri, KernelSession>();

  constructor(options: KernelsOptions) {
    this.#options = options;
    options.permissions.onRevoke(() => this.#stopUnallowed());
  }

  /** The one of this notebook; nothing is started yet. */
  of(uri: Uri): KernelSession {
    const known = this.#sessions.get(uri);
    if (known) return known;
    const { env, report, startPatienceMs = START_PATIENCE_MS, folders } = this.#options;
    const session = new KernelSession(uri, {
      env,
      report,
      startPatienceMs,
      folder: folders[0] ?? "/",
      find: () => this.#find(),
      allows: (spec, signal) => this.#allows(spec, signal),
    });
    this.#sessions.set(uri, session);
    return session;
  }

  /** What the person can choose from. */
  async choices(): Promise<readonly KernelChoice[]> {
    return (await this.#find()).map(({ id, displayName, language, source, insideProject }) => ({
      id,
      displayName,
      language,
      source,
      insideProject,
    }));
  }

  /** The notebook goes by another name, and keeps its kernel with all that is in it. */
  rename(from: Uri, to: Uri): void {
    const session = this.#sessions.get(from);
    if (!session || this.#sessions.has(to)) return;
    this.#sessions.delete(from);
    this.#sessions.set(to, session);
    session.uri = to;
  }

  /** The notebook was closed: its kernel ends. */
  async close(uri: Uri): Promise<void> {
    const session = this.#sessions.get(uri);
    this.#sessions.delete(uri);
    await session?.shutdown();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#sessions.keys()].map((uri) => this.close(uri)));
  }

  /** A permission was taken back: a kernel of the project that ran by it runs no more. */
  #stopUnallowed(): void {
    const { permissions, report } = this.#options;
    for (const session of this.#sessions.values()) {
      const { spec } = session;
      if (!spec?.insideProject || permissions.has(keyOf(spec))) continue;
      session.shutdown().catch(report);
    }
  }

  #find(): Promise<readonly KernelSpec[]> {
    return findKernels(this.#options.folders, this.#options.env);
  }

  #allows({ displayName, argv, source }: KernelSpec, signal: AbortSignal): Promise<boolean> {
    const { permissions, ask } = this.#options;
    const wish = {
      key: keyOf({ source, argv }),
      title: `Notebooks may start the project's kernel “${displayName}”`,
      detail: argv.join(" "),
    };
    const title = `Start the kernel “${displayName}” of this project?`;
    return permissions.allow(wish, () =>
      ask({ title, detail: `${source}\nruns ${argv.join(" ")}` }, signal),
    );
  }
}

const keyOf = ({ source, argv }: Pick<KernelSpec, "source" | "argv">): readonly string[] => [
  ...["project-kernel", source],
  ...argv,
];
