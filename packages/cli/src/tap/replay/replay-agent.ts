import { setTimeout as pause } from "node:timers/promises";
import type { Ide } from "@lockstep/client";
import { type JsonObject, mapTexts } from "../json.js";
import type { Entry, Recording } from "../recording.js";
import { AgentLine, type OnMessage } from "./agent-line.js";
import { compare, type Mismatch } from "./compare.js";
import { idKey, subjectOf, type Told, tell } from "./message.js";
import { Places } from "./places.js";

export interface ReplayAgentOptions {
  /** Without the pauses that the agent and the person made. */
  readonly fast: boolean;
  /** How long an answer is waited for. */
  readonly patienceMs: number;
  readonly signal: AbortSignal;
  /** Told what is waited for, when that takes long. */
  readonly onWait: (subject: string) => void;
  /** Told of all that is said. */
  readonly onMessage?: OnMessage;
}

/** An answer that is not what it was. */
export interface Difference extends Mismatch {
  /** The line of the recording that holds the answer. */
  readonly line: number;
  readonly subject: string;
}

export interface AgentOutcome {
  readonly answers: number;
  readonly differences: readonly Difference[];
}

/** After this a person may wonder what is going on. */
const LONG_MS = 2_000;

/** Says to an editor what a recorded agent said, in the same order, and compares what it answers. */
export async function replayAgent(
  { heading, entries }: Recording,
  ide: Ide,
  options: ReplayAgentOptions,
): Promise<AgentOutcome> {
  const replay = new AgentReplay(ide, new Places(heading.ide.folders, ide.folders), options);
  let before = entries[0]?.at ?? 0;
  try {
    for (const [index, entry] of entries.entries()) {
      options.signal.throwIfAborted();
      const gap = entry.at - before;
      before = entry.at;
      if (!options.fast && entry.from === "agent" && gap > 0)
        await pause(gap, undefined, { signal: options.signal });
      // The heading is line 1.
      await replay.play(entry, index + 2);
    }
    return { answers: replay.answers, differences: replay.differences };
  } finally {
    await replay.close();
  }
}

/** One request of the recording. */
interface Asked {
  readonly subject: string;
  readonly method: unknown;
}

class AgentReplay {
  readonly differences: Difference[] = [];
  answers = 0;
  readonly #ide: Ide;
  readonly #places: Places;
  readonly #options: ReplayAgentOptions;
  readonly #lines = new Map<number, AgentLine>();
  readonly #asked = new Map<string, Asked>();

  constructor(ide: Ide, places: Places, options: ReplayAgentOptions) {
    this.#ide = ide;
    this.#places = places;
    this.#options = options;
  }

  async play(entry: Entry, number: number): Promise<void> {
    if (entry.from === "tap") return;
    const line = this.#lines.get(entry.connection);
    switch (entry.kind) {
      case "open":
        if (entry.from === "agent") await this.#open(entry.connection, entry.subprotocol);
        return;
      case "close":
        return line?.close();
      case "binary":
        if (entry.from === "agent") line?.send(Buffer.from(entry.base64, "base64"));
        return;
      case "text":
        if (!line) return;
        if (entry.from === "agent") return this.#say(line, entry.connection, entry.text, number);
        return this.#expect(line, entry.connection, entry.text, number);
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#lines.values()].map((line) => line.close()));
  }

  async #open(connection: number, subprotocol: string): Promise<void> {
    const offered = subprotocol.split(",").map((name) => name.trim());
    await this.#lines.get(connection)?.close();
    const protocols = offered.filter((name) => name !== "");
    this.#lines.set(
      connection,
      await AgentLine.open(this.#ide, protocols, this.#options.onMessage),
    );
  }

  async #say(line: AgentLine, connection: number, text: string, number: number): Promise<void> {
    const told = tell(text);
    if (told.kind === "other") return line.send(this.#places.toHere(text));
    const message = mapTexts(told.message, (one) => this.#places.toHere(one)) as JsonObject;
    if (told.kind === "answer") return this.#reply(line, connection, told.id, message, number);
    this.#remember(connection, "agent", told);
    line.send(JSON.stringify(message));
  }

  /** The agent answered something that the editor had asked: it has to ask that again, under its own id. */
  async #reply(
    line: AgentLine,
    connection: number,
    id: unknown,
    message: JsonObject,
    number: number,
  ): Promise<void> {
    const asked = this.#asked.get(`ide ${connection} ${idKey(id)}`);
    if (!asked || asked.method === "ping") return;
    const request = await this.#patiently(
      asked.subject,
      line.request(String(asked.method), this.#options.patienceMs),
    );
    if (request) return line.send(JSON.stringify({ ...message, id: request.id }));
    const { subject } = asked;
    this.differences.push({ line: number, subject, path: "", recorded: "asked", now: "not asked" });
  }

  async #expect(line: AgentLine, connection: number, text: string, number: number): Promise<void> {
    const told = tell(text);
    if (told.kind === "request") this.#remember(connection, "ide", told);
    // What an editor tells of its own accord depends on the person, so only answers are compared.
    if (told.kind !== "answer") return;
    const asked = this.#asked.get(`agent ${connection} ${idKey(told.id)}`);
    if (!asked) return;
    const { subject } = asked;
    const { patienceMs } = this.#options;
    const answer = await this.#patiently(subject, line.answer(told.id, patienceMs));
    this.answers++;
    if (!answer) {
      const now = line.isOpen ? `no answer in ${patienceMs / 1000} s` : "the connection ended";
      this.differences.push({ line: number, subject, path: "", recorded: "an answer", now });
      return;
    }
    const recorded = mapTexts(told.message, (one) => this.#places.fromRecording(one));
    const now = mapTexts(answer, (one) => this.#places.fromHere(one));
    for (const mismatch of compare(recorded, now))
      this.differences.push({ line: number, subject, ...mismatch });
  }

  #remember(connection: number, from: "agent" | "ide", told: Told): void {
    if (told.kind !== "request") return;
    const { message, id } = told;
    const asked: Asked = { subject: subjectOf(message), method: message.method };
    this.#asked.set(`${from} ${connection} ${idKey(id)}`, asked);
  }

  async #patiently<T>(subject: string, coming: Promise<T>): Promise<T> {
    const { signal, onWait } = this.#options;
    const timer = setTimeout(() => onWait(subject), LONG_MS);
    let stop: () => void = () => {};
    const stopped = new Promise<never>((_, reject) => {
      stop = () => reject(signal.reason);
      signal.addEventListener("abort", stop, { once: true });
    });
    try {
      return await Promise.race([coming, stopped]);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
    }
  }
}
