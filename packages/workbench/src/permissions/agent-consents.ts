import type { Agent, Call, Lasting, Question } from "@lockstep/editor";
import type { Permission } from "../contract/permissions.js";
import type { Permissions } from "./permissions.js";

const WORDS: Readonly<Record<Lasting, (agent: string) => Pick<Permission, "title" | "detail">>> = {
  "run-code": (agent) => ({
    title: `${agent} may run code in notebooks`,
    detail: "It runs with all your rights.",
  }),
};
const DETAIL =
  "Your yes holds for this agent in this workspace, until you take it back in the settings.";

/** What agents are allowed to do from now on: asked once for each name, kept, and taken back. */
export class AgentConsents {
  readonly #permissions: Permissions;
  readonly #ask: (question: Question, call: Call) => Promise<boolean>;

  constructor(permissions: Permissions, ask: (question: Question, call: Call) => Promise<boolean>) {
    this.#permissions = permissions;
    this.#ask = ask;
  }

  has(what: Lasting, agent: Agent): boolean {
    return this.#permissions.has([what, agent.name]);
  }

  /** The person's answer, given now or earlier. An agent that leaves takes its question with it. */
  async ask(question: Question, what: Lasting, call: Call): Promise<boolean> {
    const { name } = call.agent;
    const wish = { key: [what, name], ...WORDS[what](name), agent: name };
    const detail = `${DETAIL}\n${question.detail}`;
    return this.#permissions.allow(wish, () => this.#ask({ ...question, detail }, call));
  }

  /** A yes was taken back, perhaps one of these. */
  onRevoke(listener: () => void): void {
    this.#permissions.onRevoke(listener);
  }
}
