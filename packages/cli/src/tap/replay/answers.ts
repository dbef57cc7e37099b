import { isObject, type JsonObject, mapTexts } from "../json.js";
import type { Entry } from "../recording.js";
import { idKey, subjectOf, tell } from "./message.js";
import type { Places } from "./places.js";

/** A request of a recording, and what it was answered. */
interface Exchange {
  readonly subject: string;
  /** The request without what differs each time. */
  readonly key: string;
  readonly request: JsonObject;
  /** Absent where none was recorded, as for a proposal that was never decided. */
  answer: JsonObject | undefined;
  delayMs: number;
  used: boolean;
}

export interface Found {
  /** As it has to be sent now; undefined where the request was left unanswered. */
  readonly answer: JsonObject | undefined;
  readonly delayMs: number;
}

/** The answers of a recorded editor, by what was asked. */
export class Answers {
  readonly #exchanges: readonly Exchange[];
  readonly #places: Places;

  constructor(entries: readonly Entry[], places: Places) {
    this.#places = places;
    this.#exchanges = exchangesOf(entries, (text) => places.fromRecording(text));
  }

  /**
   * The answer to the same request, each in its turn; when they are used up, the last one again.
   * Undefined if nobody asked that in the recording.
   */
  find(request: JsonObject): Found | undefined {
    const subject = subjectOf(request);
    const key = keyOf(request, (text) => this.#places.fromHere(text));
    const same = this.#exchanges.filter((one) => one.key === key);
    // Each agent introduces itself in its own way, and is answered all the same.
    const fitting =
      same.length > 0 || subject !== "initialize"
        ? same
        : this.#exchanges.filter((one) => one.subject === subject);
    const exchange = fitting.find(({ used }) => !used) ?? fitting.at(-1);
    if (!exchange) return undefined;
    exchange.used = true;
    return { answer: this.#translated(exchange, request), delayMs: exchange.delayMs };
  }

  /** What the recorded agent asked, and nobody has asked now. */
  get unused(): readonly string[] {
    return this.#exchanges.filter(({ used }) => !used).map(({ subject }) => subject);
  }

  #translated({ answer, request }: Exchange, now: JsonObject): JsonObject | undefined {
    if (!answer) return undefined;
    const [then, tab] = [tabOf(request), tabOf(now)];
    return mapTexts({ ...answer, id: now.id }, (text) => {
      const here = this.#places.toHere(text);
      return then && tab ? here.replaceAll(then, () => tab) : here;
    }) as JsonObject;
  }
}

function exchangesOf(
  entries: readonly Entry[],
  portable: (text: string) => string,
): readonly Exchange[] {
  const exchanges: Exchange[] = [];
  const open = new Map<string, { exchange: Exchange; at: number }>();
  for (const { kind, from, connection, at, ...entry } of entries) {
    if (kind !== "text" || !("text" in entry)) continue;
    const told = tell(entry.text);
    if (from === "agent" && told.kind === "request") {
      const { message: request } = told;
      const key = keyOf(request, portable);
      const subject = subjectOf(request);
      const exchange = { subject, key, request, answer: undefined, delayMs: 0, used: false };
      exchanges.push(exchange);
      open.set(`${connection} ${idKey(told.id)}`, { exchange, at });
    }
    if (from === "ide" && told.kind === "answer") {
      const asked = open.get(`${connection} ${idKey(told.id)}`);
      if (!asked) continue;
      asked.exchange.answer = told.message;
      asked.exchange.delayMs = Math.max(0, at - asked.at);
    }
  }
  return exchanges;
}

/** Method and arguments. The CLI numbers its tabs by chance, and counts its calls in `_meta`. */
function keyOf({ method, params }: JsonObject, portable: (text: string) => string): string {
  return canonical(mapTexts({ method, params }, portable));
}

const PASSING: ReadonlySet<string> = new Set(["_meta", "tab_name"]);

function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (key, item) => {
      if (PASSING.has(key)) return undefined;
      if (!isObject(item)) return item;
      return Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)));
    }) ?? ""
  );
}

function tabOf({ params }: JsonObject): string | undefined {
  const args = isObject(params) && isObject(params.arguments) ? params.arguments : {};
  return typeof args.tab_name === "string" && args.tab_name !== "" ? args.tab_name : undefined;
}
