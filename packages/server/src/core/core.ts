import { randomUUID } from "node:crypto";
import { type Change, Changes, type Editor, type Mention } from "@lockstep/editor";
import type { Gate } from "../gate/gate.js";
import type { Files } from "./files.js";
import { Session } from "./session.js";

/** Names stand in questions to the person: a longer one would push out of sight what is asked. */
const LONGEST_NAME = 100;
/** Mentions that wait for an agent; a person makes few before looking for one. */
const UNHEARD = 32;

/** The editor, as far as the gate lets it be seen, and the agents at it, whatever wire they came by. */
export class Core {
  readonly gate: Gate;
  readonly report: (problem: unknown) => void;
  readonly #files: Files;
  readonly #sessions = new Set<Session>();
  readonly #subscription: Disposable;
  readonly #changes = new Changes();
  #unheard: Mention[] = [];

  constructor(gate: Gate, files: Files, report: (problem: unknown) => void) {
    this.gate = gate;
    this.report = report;
    this.#files = files;
    this.#subscription = gate.editor.subscribe((change) => {
      if (change.kind === "mention" && this.#sessions.size === 0) this.keepUnheard([change]);
      if (change.kind === "consents")
        for (const session of this.#sessions) session.forgetConsents();
      this.#changes.tell(change);
    });
  }

  /** The editor's changes, and those of what agents may see of it. */
  subscribe(listener: (change: Change) => void): Disposable {
    return this.#changes.subscribe(listener);
  }

  get sharing(): boolean {
    return this.gate.sharing;
  }

  set sharing(on: boolean) {
    this.gate.sharing = on;
    this.#changes.tell({ kind: "selection" });
  }

  keepBack(files: Parameters<Gate["keepBack"]>[0]): void {
    this.gate.keepBack(files);
    this.#changes.tell({ kind: "selection" });
  }

  /** As agents may see it. */
  get editor(): Editor {
    return this.gate.editor;
  }

  get sessions(): readonly Session[] {
    return [...this.#sessions];
  }

  /** An agent has introduced itself. */
  begin(agentName: string): Session {
    const agent = { id: randomUUID(), name: agentName.slice(0, LONGEST_NAME) };
    const session = new Session(agent, this.gate, this.#files, this.report);
    this.#sessions.add(session);
    session.tell("connected");
    return session;
  }

  async end(session: Session, why: "disconnected" | "stopping"): Promise<void> {
    this.#sessions.delete(session);
    await session.end(why);
  }

  /** Keeps mentions for the next agent, unless others are there who have heard them. */
  keepUnheard(mentions: readonly Mention[]): void {
    if (this.#sessions.size > 1) return;
    this.#unheard = [...this.#unheard, ...mentions].slice(-UNHEARD);
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
