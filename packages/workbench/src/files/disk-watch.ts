import { basename, join, sep } from "node:path";
import { isWithin } from "@lockstep/protocol";
import watcher, { type AsyncSubscription, type BackendType, type Event } from "@parcel/watcher";

export interface DiskChange {
  readonly path: string;
  readonly kind: "create" | "update" | "delete";
}

export interface DiskWatchListener {
  changed(changes: readonly DiskChange[]): void;
  /** Git's own state moved: another branch, a commit, something staged. */
  gitMoved(): void;
  /** Changes were missed: all has to be looked at again. */
  missed(): void;
  /** The folder is not watched; `why` is a sentence that says what to do. */
  failed(folder: string, why: string): void;
}

/** Folders that change too much. Only what is in them: that git's own folder is made is seen. */
const UNWATCHED = [/(?:^|[/\\])(?:node_modules|\.git)[/\\]/];
/** Of git's own folder only what says where the work tree stands. */
const GIT_UNWATCHED = ["objects", "logs", "lfs", "modules", "hooks", "worktrees"];
const GIT_TELLING = /^(?:HEAD|index|packed-refs|MERGE_HEAD|REBASE_HEAD|info[/\\]exclude)$/;

/** The system's own. Left to itself the watcher would ask a shell for watchman first, at every start. */
const BACKENDS: Readonly<Partial<Record<NodeJS.Platform, BackendType>>> = {
  linux: "inotify",
  darwin: "fs-events",
  win32: "windows",
};

/** Watches the workspace, and git's state of it. */
export class DiskWatch {
  readonly #listener: DiskWatchListener;
  /** Null for one that failed. */
  readonly #subscriptions = new Map<string, Promise<AsyncSubscription | null>>();
  #closed = false;

  constructor(listener: DiskWatchListener) {
    this.#listener = listener;
  }

  async watch(folder: string): Promise<void> {
    await this.#subscribe(folder, UNWATCHED, (events) => {
      const changes = events
        .filter(({ path }) => isWithin(path, folder))
        .map(({ path, type }): DiskChange => ({ path, kind: type }));
      // A folder without git may get one: only the making of it is seen here.
      if (changes.some(({ path }) => basename(path) === ".git")) this.#listener.gitMoved();
      if (changes.length > 0) this.#listener.changed(changes);
    });
  }

  async watchGit(gitDir: string): Promise<void> {
    const ignore = GIT_UNWATCHED.map((name) => join(gitDir, name));
    await this.#subscribe(gitDir, ignore, (events) => {
      const telling = events.some(({ path }) => {
        const name = path.slice(gitDir.length + sep.length);
        return GIT_TELLING.test(name) || (name.startsWith("refs") && !name.endsWith(".lock"));
      });
      if (telling) this.#listener.gitMoved();
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    const subscriptions = await Promise.all(this.#subscriptions.values());
    this.#subscriptions.clear();
    await Promise.all(subscriptions.map((subscription) => subscription?.unsubscribe()));
  }

  async #subscribe(
    folder: string,
    ignore: readonly (string | RegExp)[],
    hear: (events: readonly Event[]) => void,
  ): Promise<void> {
    if (this.#closed) return;
    const known = this.#subscriptions.get(folder);
    const subscription = known ?? this.#begin(folder, ignore, hear);
    this.#subscriptions.set(folder, subscription);
    // What failed is tried again when it is asked for again.
    if ((await subscription) === null) this.#subscriptions.delete(folder);
  }

  async #begin(
    folder: string,
    ignore: readonly (string | RegExp)[],
    hear: (events: readonly Event[]) => void,
  ): Promise<AsyncSubscription | null> {
    try {
      return await watcher.subscribe(
        folder,
        (problem, events) => {
          if (this.#closed) return;
          if (problem) this.#listener.missed();
          else hear(events);
        },
        { ignore: [...ignore], backend: BACKENDS[process.platform] },
      );
    } catch (problem) {
      this.#listener.failed(folder, whyUnwatched(folder, problem));
      return null;
    }
  }
}

export function whyUnwatched(folder: string, problem: unknown): string {
  const message = problem instanceof Error ? problem.message : String(problem);
  const name = basename(folder) || folder;
  const then = "Until then Lockstep looks again whenever you come back to its window.";
  if (/ENOSPC|No space left on device/i.test(message)) {
    return `Changes in ${name} are not seen at once, because this system watches no more folders. Run "sudo sysctl fs.inotify.max_user_watches=1048576" and start Lockstep again. ${then}`;
  }
  if (/EMFILE|Too many open files/i.test(message)) {
    return `Changes in ${name} are not seen at once, because too many programs watch folders. Run "sudo sysctl fs.inotify.max_user_instances=1024" and start Lockstep again. ${then}`;
  }
  return `Changes in ${name} are not seen at once, because it cannot be watched (${message}). ${then}`;
}
