import {
  chooseIde,
  connect,
  type FindOptions,
  findIdes,
  type IdeConnection,
  IdeError,
} from "@lockstep/client";
import type { Log } from "../log.js";

export interface FollowOptions {
  /** This one and no other; by default the one that has the current folder open. */
  readonly port: number | undefined;
  readonly find: FindOptions;
  /** The tools may be others now: the editor came, went, or said so. */
  readonly onToolsChanged: () => void;
  /** A notification of the editor's, as it is. */
  readonly onNotification: (method: string, params: unknown) => void;
  /** For the person who reads the log. */
  readonly say: (text: string) => void;
  readonly log: Log;
}

/** Lock files are looked at this often while no editor is there. */
const LOOK_MS = 1_000;
/** A restart of the same editor is waited for, before another one may take its place. */
const RESTART_MS = [0, 250, 500, 1_000, 2_000, 4_000];

/** The editor that is meant here, through its restarts: there is one, or it is being looked for. */
export class FollowedIde implements AsyncDisposable {
  readonly #options: FollowOptions;
  #connection: IdeConnection | null = null;
  #looking: Promise<void> | null = null;
  #timer: NodeJS.Timeout | undefined;
  #ended = false;
  /** Why there is none. */
  #absence = "";

  constructor(options: FollowOptions) {
    this.#options = options;
    void this.#look();
  }

  /** The editor now; null if none is there. One that came a moment ago is found. */
  async connection(): Promise<IdeConnection | null> {
    if (!this.#connection) await this.#look();
    return this.#connection;
  }

  /** Why there is none, and what to do. */
  get absence(): string {
    return this.#absence;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended = true;
    clearTimeout(this.#timer);
    await this.#looking;
    await this.#connection?.close();
  }

  /** Looks once; whoever asks meanwhile waits for the same look. */
  #look(): Promise<void> {
    clearTimeout(this.#timer);
    this.#looking ??= this.#attach().finally(() => {
      this.#looking = null;
      if (!this.#connection && !this.#ended)
        this.#timer = setTimeout(() => void this.#look(), LOOK_MS);
    });
    return this.#looking;
  }

  async #attach(): Promise<void> {
    const { port, find, onNotification, onToolsChanged, say, log } = this.#options;
    try {
      const ides = await findIdes(find);
      for (const { token } of ides) log.hide(token());
      const ide = chooseIde(ides, { port, env: find.env });
      const connection = await connect(ide, {
        clientName: "lockstep mcp",
        reconnect: { delaysMs: RESTART_MS, find },
        onNotification,
        onMessage: (direction, text) => log.note(direction, text),
      });
      this.#connection = connection;
      connection.on("notifications/tools/list_changed", onToolsChanged);
      connection.on("restored", onToolsChanged);
      void connection.closed.then(() => this.#detach());
      say(`connected to ${ide.name} on port ${ide.port}`);
      onToolsChanged();
    } catch (error) {
      const absence = whyAbsent(error, port);
      if (absence !== this.#absence) say(absence);
      this.#absence = absence;
    }
  }

  #detach(): void {
    this.#connection = null;
    this.#absence = "";
    if (this.#ended) return;
    this.#options.onToolsChanged();
    void this.#look();
  }
}

function whyAbsent(error: unknown, port: number | undefined): string {
  if (error instanceof IdeError && error.code !== "none-found")
    return `The editor does not let this agent in: ${error.message}`;
  if (!(error instanceof IdeError)) return `The editor cannot be reached: ${String(error)}`;
  return port === undefined
    ? `No editor has this folder open: ${process.cwd()}. Open it in one, for example by: lockstep`
    : `No editor announces port ${port}. Start it again, or name one of lockstep ls by --ide.`;
}
