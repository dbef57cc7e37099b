import { realpath, stat } from "node:fs/promises";
import type { Readable, Writable } from "node:stream";
import { printable } from "@lockstep/protocol";
import { SetupError } from "@lockstep/server";
import { type Entrance, openEntrance } from "@lockstep/server/entrance";
import type { WebSocket } from "ws";
import { AgentSocket } from "./agent-socket.js";
import type { Frame } from "./frames.js";
import { Link } from "./link.js";
import { type Announcement, type Note, noteFrame, type Ready, readNote } from "./notes.js";

export interface AgentSideOptions {
  readonly input: Readable;
  readonly output: Writable;
  readonly configDir: string | undefined;
  readonly onReady: (ready: Ready) => void;
  readonly report: (problem: unknown) => void;
}

/** For the editor's end to say what it has. */
const HELLO_MS = 30_000;

type Hello = Extract<Note, { kind: "hello" }>;

/**
 * The end of a relay where agents are: it announces the editor there, under its own process and with a
 * token of its own, and passes messages on as they are. It ends with the link.
 */
export class AgentSide {
  /** Resolves when all of it is put in order, with why it ended. */
  readonly ended: Promise<Error | null>;
  readonly #options: AgentSideOptions;
  readonly #link: Link;
  readonly #agents = new Map<number, AgentSocket>();
  #entrance: Entrance | null = null;
  #greeted = false;
  /** One after the other: what is announced is what was said last. */
  #work: Promise<void> = Promise.resolve();
  #nextChannel = 1;
  #blocked = false;

  constructor(options: AgentSideOptions) {
    this.#options = options;
    const { input, output } = options;
    this.#link = new Link({
      input,
      output,
      onFrame: (frame) => this.#receive(frame),
      onBlocked: (blocked) => {
        this.#blocked = blocked;
        for (const agent of this.#agents.values()) agent.hold(blocked);
      },
    });
    const impatient = setTimeout(() => {
      if (!this.#greeted) this.#link.close(new Error("There is no editor at the other end."));
    }, HELLO_MS);
    this.ended = this.#link.ended.then(async (why) => {
      clearTimeout(impatient);
      await this.#work;
      await this.#entrance?.close();
      return why;
    });
  }

  /** Whether an editor has spoken at the other end: then it also tells the person what went wrong. */
  get greeted(): boolean {
    return this.#greeted;
  }

  close(): void {
    this.#link.close();
  }

  #receive(frame: Frame): void {
    switch (frame.kind) {
      case "note":
        this.#hear(readNote(frame.body));
        break;
      case "text":
        this.#agents.get(frame.channel)?.send(frame.body);
        break;
      case "close": {
        const agent = this.#agents.get(frame.channel);
        this.#agents.delete(frame.channel);
        agent?.close(frame.body.slice(0, 40));
        break;
      }
    }
  }

  #hear(note: Note | null): void {
    if (note?.kind === "hello" && !this.#greeted) {
      this.#greeted = true;
      this.#then(() => this.#begin(note));
    }
    if (note?.kind === "announce") this.#then(() => this.#announce(note));
    if (note?.kind === "withdraw") this.#then(async () => this.#entrance?.withdraw());
  }

  #then(step: () => Promise<void> | undefined): void {
    this.#work = this.#work.then(step).catch((problem) => {
      const known = problem instanceof SetupError;
      if (!known) this.#options.report(problem);
      if (this.#entrance) return;
      // Nothing was announced: the person at the other end has to know.
      const message = known ? problem.message : "The relay failed there; its messages say why.";
      this.#link.send(noteFrame({ kind: "failed", message }));
      this.#link.close(problem);
    });
  }

  async #begin({ ideName, folders, remotes }: Hello): Promise<void> {
    const { configDir, onReady, report } = this.#options;
    const here = await existing(folders);
    if (here.length === 0) throw notHere(folders);
    const entrance = await openEntrance({
      ideName: printable(ideName),
      workspaceFolders: here,
      keep: true,
      configDir,
      report,
      onAgent: (socket) => this.#join(socket),
    });
    this.#entrance = entrance;
    const [lockFile = ""] = entrance.lockFiles;
    const realRemotes = await Promise.all(remotes.map((path) => realpath(path).catch(() => path)));
    const ready: Ready = { port: entrance.port, lockFile, folders: here, realRemotes };
    this.#link.send(noteFrame({ kind: "ready", ...ready }));
    onReady(ready);
  }

  async #announce({ ideName, folders }: Announcement): Promise<void> {
    const here = await existing(folders);
    if (here.length === 0) await this.#entrance?.withdraw();
    else await this.#entrance?.announce({ ideName: printable(ideName), workspaceFolders: here });
  }

  #join(socket: WebSocket): void {
    const channel = this.#nextChannel++;
    this.#link.send({ kind: "open", channel, body: "" });
    const agent = new AgentSocket(socket, {
      message: (text) => this.#link.send({ kind: "text", channel, body: text }),
      closed: () => {
        if (this.#agents.delete(channel)) this.#link.send({ kind: "close", channel, body: "" });
      },
    });
    this.#agents.set(channel, agent);
    if (this.#blocked) agent.hold(true);
  }
}

/** Those that are folders here, without links: an agent knows its own by that name. */
async function existing(folders: readonly string[]): Promise<readonly string[]> {
  const real = await Promise.all(folders.map((folder) => realpath(folder).catch(() => null)));
  const found = real.filter((folder) => folder !== null);
  const stats = await Promise.all(found.map((folder) => stat(folder).catch(() => null)));
  return found.filter((_, index) => stats[index]?.isDirectory());
}

const notHere = (folders: readonly string[]) =>
  new SetupError(
    "folder-unusable",
    `There is no folder ${folders.join(", ")}. Say by --map LOCAL=REMOTE what the folder is called there.`,
  );
