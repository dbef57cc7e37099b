import type { Agent, Editor, WithheldReason } from "@lockstep/editor";
import type { Uri } from "@lockstep/protocol";
import { Core } from "./core/core.js";
import type { Files } from "./core/files.js";
import { type ClaudeFaceOptions, claudeFace } from "./faces/claude/claude-face.js";
import { Gate, type PrivacyOptions } from "./gate/gate.js";
import { settingsEverywhere } from "./node/agent-settings.js";
import { disk } from "./node/disk.js";
import { warn } from "./node/warning.js";

export interface ServeOptions extends ClaudeFaceOptions {
  /** What agents are not told of. Secrets and git-ignored files are kept back by default. */
  readonly privacy?: PrivacyOptions;
  /** Where proposals are compared with what is there; by default the real disk. */
  readonly files?: Files;
  /** Told of faults that no agent should see. By default they become process warnings. */
  readonly report?: (problem: unknown) => void;
}

export interface LockstepServer extends AsyncDisposable {
  readonly port: number;
  /** Written when the server is ready, removed when it stops. */
  readonly lockFiles: readonly string[];
  /** Who is connected now. */
  readonly agents: readonly Agent[];
  /** Whether agents are told what the person looks at; switching it takes effect at once. */
  sharing: boolean;
  /** Why agents are not told of a document, whatever the person looks at; null if they are. */
  whyWithheld(uri: Uri): Promise<WithheldReason | null>;
  /** Changes what is kept back, besides the secrets that always are. */
  keepBack(files: Omit<PrivacyOptions, "sharing">): void;
  /** The variables to add to a terminal in the editor, so that an agent there connects by itself. */
  environment(base?: Readonly<NodeJS.ProcessEnv>): Record<string, string>;
  /** Removes the lock files, then drops all agents. Proposals stay unanswered. Idempotent. */
  stop(): Promise<void>;
}

/**
 * Makes an editor available to coding agents on this machine, and to nobody else: listens on
 * 127.0.0.1, then announces itself by a lock file that only this user can read.
 *
 * @example
 * const editor = new InMemoryEditor({ folders: ["/home/ada/project"] });
 * const server = await serve(editor);
 * // in the project's folder: claude --ide
 * await server.stop();
 */
export async function serve(editor: Editor, options: ServeOptions = {}): Promise<LockstepServer> {
  const { files = disk, report = warn, privacy = {}, ...face } = options;
  const everywhere = settingsEverywhere(options.configDir, process.env);
  const core = new Core(new Gate(editor, files, privacy, report, everywhere), files, report);
  const claude = await claudeFace(face)(core).catch((error) => {
    core.close();
    throw error;
  });
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= claude.close().then(
      () => core.close(),
      (error) => {
        // What went wrong may be mended, and stopping tried again.
        stopped = undefined;
        throw error;
      },
    );
    return stopped;
  };
  return {
    port: claude.port,
    lockFiles: claude.lockFiles,
    get agents() {
      return core.sessions.map((session) => session.agent);
    },
    get sharing() {
      return core.sharing;
    },
    set sharing(on) {
      core.sharing = on;
    },
    whyWithheld: (uri) => core.gate.whyWithheld(uri),
    keepBack: (files) => core.keepBack(files),
    environment: (base = process.env) => claude.environment(base),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}
