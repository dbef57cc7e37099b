import type { Agent, AgentEvent, Call, Mention, Question } from "@lockstep/editor";
import { type Id, IdeConnected, Notification, printable } from "@lockstep/protocol";
import type { AgentInfo, agentCalls, Sight } from "../contract/agents.js";
import { WorkbenchError } from "../errors.js";
import type { Surroundings } from "../surroundings.js";
import type { Handlers } from "../windows/router.js";
import { AgentLog } from "./agent-log.js";
import { LogNews } from "./log-news.js";
import { Questions } from "./questions.js";
import { Reasons } from "./reasons.js";
import { SharingSwitch } from "./sharing-switch.js";
import { detailOf, type Glance, glance } from "./wire-glance.js";
import { Words } from "./words.js";

/** A running server that agents connect to. */
export interface AgentServer {
  readonly port: number;
  readonly lockFiles: readonly string[];
  sharing: boolean;
}

/** One message on the wire, and whose it is once that is known. */
export interface WireMessage {
  readonly connection: number;
  readonly direction: "in" | "out";
  readonly text: string;
  readonly agent: Agent | null;
}

export interface AgentsOptions {
  readonly mention: (mention: Mention) => void;
  /** The built-in terminal that a process runs in; null if none. */
  readonly terminalOf: (pid: number) => string | null;
}

/** So many that left stay in the list, with their logs. */
const LEFT_KEPT = 10;
/** Says that the other side lives, every few seconds, and nothing more. */
const PING = "ping";
/** Takes a call back, which is not answered then. */
const CANCELLED = "notifications/cancelled";
/** What an agent calls when its diff is answered: its own question in the terminal is gone by then. */
const CLOSE_TAB = "close_tab";

/** The agents that are connected, what they are told, and what passed between them and the editor. */
export class Agents {
  readonly #surroundings: Surroundings;
  readonly #options: AgentsOptions;
  readonly #switch: SharingSwitch;
  readonly #questions: Questions;
  readonly #reasons: Reasons;
  readonly #words: Words;
  readonly #news: LogNews;
  readonly #logs = new Map<string, AgentLog>();
  #sight: Sight = { kind: "nothing" };
  #server: AgentServer | null = null;

  readonly handlers: Handlers<typeof agentCalls> = {
    "sharing.set": async ({ on }) => {
      const saved = this.#switch.set(on);
      if (this.#server) this.#server.sharing = on;
      this.#tellSharing();
      await saved;
    },
    mention: ({ uri, lines }) => {
      if (lines && lines.first > lines.last) {
        throw new WorkbenchError("The first line of a mention must not come after its last.");
      }
      this.#options.mention({ kind: "mention", uri, ...(lines ? { lines } : {}) });
      return { agents: this.#all.filter(({ left }) => left === null).length };
    },
    "agent.log": ({ agent, after }) => this.#logs.get(agent)?.after(after) ?? [],
    "question.answer": ({ id, yes }) => this.#questions.answer(id, yes),
  };

  private constructor(
    surroundings: Surroundings,
    options: AgentsOptions,
    sharingSwitch: SharingSwitch,
  ) {
    this.#surroundings = surroundings;
    this.#options = options;
    this.#switch = sharingSwitch;
    this.#questions = new Questions(surroundings.store);
    this.#reasons = new Reasons(surroundings.store);
    this.#words = new Words(surroundings.folders);
    this.#news = new LogNews((agent) => surroundings.broadcast("agent.logged", { agent }));
    this.#tellSharing();
  }

  /** With the sharing switch as the person left it. */
  static async open(surroundings: Surroundings, options: AgentsOptions): Promise<Agents> {
    return new Agents(surroundings, options, await SharingSwitch.open(surroundings.stateDir));
  }

  get sharing(): boolean {
    return this.#switch.on;
  }

  /** From now on agents connect to this server. */
  attach(server: AgentServer): void {
    this.#server = server;
    server.sharing = this.sharing;
    const { port, lockFiles } = server;
    this.#surroundings.store.set("endpoint", { port, lockFile: lockFiles[0] ?? "" });
  }

  /** What agents see now. */
  sees(sight: Sight): void {
    this.#sight = sight;
    this.#tellSharing();
  }

  activity(event: AgentEvent): void {
    const { agent } = event;
    const log = this.#logOf(agent);
    if (event.kind === "withheld") {
      log.addOnce({ kind: "withheld", title: this.#words.event(event), detail: "" });
    } else {
      log.add({ kind: "event", title: this.#words.event(event), detail: "" });
    }
    if (event.kind === "outdated") this.#put({ ...this.#info(agent), outdated: true });
    if (event.kind === "left") this.#leave(agent, log);
    this.#news.tell(agent.id);
  }

  /** Puts a question to the person. Taken back when nobody waits for the answer any more. */
  confirm(question: Question, call: Call): Promise<boolean> {
    return this.#questions.ask(question, call);
  }

  /** Sees every message on the wire, and writes the log. */
  trace({ agent, direction, text }: WireMessage): void {
    if (!agent) return;
    const log = this.#logOf(agent);
    let news = false;
    for (const message of glance(text)) {
      news = this.#note(log, agent, direction, message, text) || news;
    }
    if (news) this.#news.tell(agent.id);
  }

  /**
   * Where a rejection's reason goes: typed at the prompt of the built-in terminal that runs the
   * agent, because the agent ignores what it is sent; else the person may copy it. It is typed when
   * the agent has heard the rejection: until then its terminal asks whether to apply the edit.
   */
  deliverReason(
    agent: Agent,
    reason: string,
    type: (terminal: string, text: string) => void,
  ): "sent" | "typed" | "copy" {
    const own = this.#terminalOf(agent);
    if (own === undefined) return "copy";
    this.#reasons.hold(agent, reason, () => {
      const terminal = this.#terminalOf(agent);
      if (terminal !== undefined) type(terminal, reason);
      return terminal !== undefined;
    });
    return "typed";
  }

  #terminalOf(agent: Agent): string | undefined {
    const terminals = Object.values(this.#surroundings.store.state.terminals);
    return terminals.find((each) => each.agent === agent.id && each.exitCode === null)?.id;
  }

  /** Answers whether there was anything to note. */
  #note(
    log: AgentLog,
    agent: Agent,
    direction: WireMessage["direction"],
    message: Glance,
    text: string,
  ): boolean {
    if (message.kind === "answer")
      return direction === "out" && log.answer(message.id, message.failed);
    const { method, params } = message;
    if (method === PING) return false;
    const detail = detailOf(text);
    if (direction === "out") {
      log.add({ kind: "sent", title: this.#words.notification(method, params), detail });
    } else if (message.kind === "request") {
      log.addCall(message.id, { title: this.#words.call(method, params), detail });
      if (params.name === CLOSE_TAB) this.#reasons.release(agent);
    } else {
      log.add({ kind: "event", title: printable(method).slice(0, 300), detail });
      if (method === Notification.ideConnected) this.#findTerminal(agent, params);
      if (method === CANCELLED) log.answer(params.requestId as Id, true);
    }
    return true;
  }

  /** The agent tells its process, and so in which terminal it runs. */
  #findTerminal(agent: Agent, params: unknown): void {
    const pid = IdeConnected.safeParse(params).data?.pid;
    if (!pid || !Number.isSafeInteger(pid) || pid < 0) return;
    const id = this.#options.terminalOf(pid);
    const terminal = id === null ? undefined : this.#surroundings.store.state.terminals[id];
    if (terminal)
      this.#surroundings.store.put("terminals", terminal.id, { ...terminal, agent: agent.id });
  }

  #leave(agent: Agent, log: AgentLog): void {
    const { store } = this.#surroundings;
    log.close();
    this.#reasons.giveUp(agent);
    this.#put({ ...this.#info(agent), left: Date.now() });
    for (const terminal of Object.values(store.state.terminals)) {
      if (terminal.agent === agent.id)
        store.put("terminals", terminal.id, { ...terminal, agent: null });
    }
    const left = this.#all.filter((info) => info.left !== null);
    left.sort((a, b) => (b.left ?? 0) - (a.left ?? 0));
    for (const { id } of left.slice(LEFT_KEPT)) {
      store.remove("agents", id);
      this.#logs.delete(id);
      this.#news.forget(id);
    }
  }

  get #all(): AgentInfo[] {
    return Object.values(this.#surroundings.store.state.agents);
  }

  /** Whoever is heard of first, by an event or on the wire, is in the list from then on. */
  #logOf(agent: Agent): AgentLog {
    const known = this.#logs.get(agent.id);
    if (known) return known;
    const log = new AgentLog();
    this.#logs.set(agent.id, log);
    this.#put(this.#info(agent));
    return log;
  }

  #info({ id, name }: Agent): AgentInfo {
    const known = this.#surroundings.store.state.agents[id];
    const shown = printable(name).slice(0, 100);
    return known ?? { id, name: shown, since: Date.now(), left: null, outdated: false };
  }

  #put(info: AgentInfo): void {
    this.#surroundings.store.put("agents", info.id, info);
  }

  #tellSharing(): void {
    this.#surroundings.store.set("sharing", { on: this.sharing, sight: this.#sight });
  }
}
