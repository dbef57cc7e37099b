import type { Readable, Writable } from "node:stream";
import { IdeError } from "@lockstep/client";
import { printable } from "@lockstep/protocol";
import { Conversation, type ConversationOptions } from "./conversation.js";
import type { Frame } from "./frames.js";
import { Link } from "./link.js";
import { type Announcement, noteFrame, type Ready, readNote } from "./notes.js";
import { defaultPairs, type FolderPair, PathMap } from "./path-map.js";
import type { WatchedIde } from "./watched-ide.js";

export interface EditorSideOptions {
  readonly watched: WatchedIde;
  /** Null where nobody said which folder is which. */
  readonly pairs: readonly FolderPair[] | null;
  readonly input: Readable;
  readonly output: Writable;
  readonly onMessage: ConversationOptions["onMessage"];
}

/** Agents on one link at one time; each has a socket of the editor's. */
const MOST_AGENTS = 256;

/** The end of a relay where the editor is: it knows the editor, its token, and which path is which. */
export class EditorSide {
  /** What is announced at the other end; rejects with a sentence where nothing is. */
  readonly ready: Promise<Ready>;
  readonly ended: Promise<Error | null>;
  readonly #options: EditorSideOptions;
  readonly #link: Link;
  readonly #conversations = new Map<number, Conversation>();
  #real: readonly FolderPair[] = [];
  #paths: PathMap;
  #onReady: (ready: Ready) => void = () => {};
  #onFailed: (error: Error) => void = () => {};

  constructor(options: EditorSideOptions) {
    this.#options = options;
    const { watched, input, output } = options;
    this.#paths = new PathMap(this.#pairs);
    this.ready = new Promise((resolve, reject) => {
      this.#onReady = resolve;
      this.#onFailed = reject;
    });
    this.ready.catch(() => {});
    const announced = this.#announced();
    this.#link = new Link({
      input,
      output,
      onFrame: (frame) => this.#receive(frame),
      onBlocked: (blocked) => {
        for (const conversation of this.#conversations.values()) conversation.hold(blocked);
      },
    });
    const remotes = this.#pairs.map(({ remote }) => remote);
    this.#link.send(noteFrame({ kind: "hello", remotes, ...announced }));
    const watching = watched.watch((there) => this.#changed(there));
    this.ended = this.#link.ended.then((why) => {
      watching[Symbol.dispose]();
      for (const conversation of this.#conversations.values()) conversation.end();
      this.#onFailed(why ?? new Error("The other end has ended."));
      return why;
    });
  }

  /** Whether a relay has spoken at the other end. */
  get greeted(): boolean {
    return this.#link.greeted;
  }

  close(): void {
    this.#link.close();
  }

  get #pairs(): readonly FolderPair[] {
    return this.#options.pairs ?? defaultPairs(this.#options.watched.ide.folders);
  }

  #announced(): Announcement {
    const { name, folders } = this.#options.watched.ide;
    const remote = folders.map((folder) => this.#paths.toRemote(folder));
    const known = remote.filter((folder) => folder !== null);
    if (known.length > 0) return { ideName: printable(name), folders: known };
    throw new IdeError(
      "none-found",
      `${name} has ${folders.join(", ") || "no folder"} open, and no --map names that. Map it: --map ${folders[0] ?? "LOCAL"}=REMOTE`,
    );
  }

  #changed(there: boolean): void {
    this.#paths = new PathMap([...this.#real, ...this.#pairs]);
    try {
      const note = there ? ({ kind: "announce", ...this.#announced() } as const) : WITHDRAW;
      this.#link.send(noteFrame(note));
    } catch {
      // It has other folders open now, none of which anybody mapped.
      this.#link.send(noteFrame(WITHDRAW));
    }
  }

  #receive(frame: Frame): void {
    switch (frame.kind) {
      case "note":
        this.#hear(frame.body);
        break;
      case "open":
        this.#open(frame.channel);
        break;
      case "text":
        this.#conversations.get(frame.channel)?.fromAgent(frame.body);
        break;
      case "close":
        this.#conversations.get(frame.channel)?.end();
        this.#conversations.delete(frame.channel);
        break;
    }
  }

  #hear(body: string): void {
    const note = readNote(body);
    if (note?.kind === "failed")
      this.#onFailed(new IdeError("refused", `At the other end: ${note.message}`));
    if (note?.kind !== "ready") return;
    // Agents say the real path of a folder, whatever it was called in --map.
    this.#real = this.#pairs.map((pair, index) => ({
      local: pair.local,
      remote: note.realRemotes[index] ?? pair.remote,
    }));
    this.#paths = new PathMap([...this.#real, ...this.#pairs]);
    this.#onReady(note);
  }

  #open(channel: number): void {
    this.#conversations.get(channel)?.end();
    const close = (why: string) => {
      this.#conversations.delete(channel);
      this.#link.send({ kind: "close", channel, body: why });
    };
    if (this.#conversations.size >= MOST_AGENTS) {
      close("Too many agents at once");
      return;
    }
    const conversation = new Conversation({
      watched: this.#options.watched,
      paths: () => this.#paths,
      toAgent: (text) => this.#link.send({ kind: "text", channel, body: text }),
      onEnd: close,
      onMessage: this.#options.onMessage,
    });
    this.#conversations.set(channel, conversation);
  }
}

const WITHDRAW = { kind: "withdraw" } as const;
