import { randomUUID } from "node:crypto";
import type { Editor, Mention } from "@lockstep/editor";
import type { Files } from "./files.js";
import { Session } from "./session.js";

/** Mentions that wait for an agent; a person makes few before looking for one. */
const UNHEARD = 32;

/** The editor and the agents at it, whatever wire they came by. */
export class Core {
  readonly editor: Editor;
  readonly report: (problem: unknown) => void;
  readonly #files: Files;
  readonly #sessions = new Set<Session>();
  readonly #subscription: Disposable;
  #unheard: Mention[] = [];

  constructor(editor: Editor, files: Files, report: (problem: unknown) => void) {
    this.editor = editor;
    this.report = report;
    this.#files = files;
    this.#subscription = editor.subscribe((change) => {
      if (change.kind !== "mention" || this.#sessions.size > 0) return;
      this.#unheard = [...this.#unheard, change].slice(-UNHEARD);
    });
  }

  get sessions(): readonly Session[] {
    return [...this.#sessions];
  }

  /** An agent has introduced itself. */
  begin(agentName: string): Session {
    const agent = { id: randomUUID(), name: agentName };
    const session = new Session(agent, this.editor, this.#files, this.report);
    this.#sessions.add(session);
    session.begin();
    return session;
  }

  async end(session: Session, why: "disconnected" | "stopping"): Promise<void> {
    this.#sessions.delete(session);
    await session.end(why);
  }

  /** Hands over, once, the mentions that were made while no agent was there. */
  takeUnheard(): readonly Mention[] {
    const mentions = this.#unheard;
    this.#unheard = [];
    return mentions;
  }

  close(): void {
    this.#subscription[Symbol.dispose]();
  }
}
