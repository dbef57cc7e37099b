import type { Id } from "@lockstep/protocol";
import type { LogEntry } from "../contract/agents.js";

/** Of each sort: many selections must not push the few calls out. */
const KEPT = 500;

type Added = Omit<LogEntry, "number" | "at">;

/** What passed between one agent and this editor, the last of it. */
export class AgentLog {
  #sent: LogEntry[] = [];
  #others: LogEntry[] = [];
  #count = 0;
  readonly #waiting = new Map<Id, { readonly number: number; readonly began: number }>();

  add(entry: Added): void {
    this.#keep({ ...entry, number: ++this.#count, at: Date.now() });
  }

  /** The same again, right after it, says nothing new. */
  addOnce(entry: Added): void {
    const last = this.#others.at(-1);
    if (last?.title !== entry.title || last.kind !== entry.kind) this.add(entry);
  }

  /** The agent asked something, and waits. */
  addCall(id: Id, entry: Pick<LogEntry, "title" | "detail">): void {
    this.add({ ...entry, kind: "called", outcome: "waiting" });
    this.#waiting.set(id, { number: this.#count, began: performance.now() });
  }

  /** It was answered. False if nobody had asked. */
  answer(id: Id, failed: boolean): boolean {
    const call = this.#waiting.get(id);
    if (!call) return false;
    this.#waiting.delete(id);
    const index = this.#others.findIndex(({ number }) => number === call.number);
    const entry = this.#others[index];
    if (entry) {
      const milliseconds = Math.round(performance.now() - call.began);
      this.#others[index] = { ...entry, outcome: failed ? "failed" : "done", milliseconds };
    }
    return true;
  }

  /** The agent has left: what it waited for will not come. */
  close(): void {
    for (const id of [...this.#waiting.keys()]) this.answer(id, true);
  }

  /** The newest last. */
  after(number: number): readonly LogEntry[] {
    return [...this.#sent, ...this.#others]
      .filter((entry) => entry.number > number)
      .sort((a, b) => a.number - b.number);
  }

  #keep(entry: LogEntry): void {
    const list = entry.kind === "sent" ? this.#sent : this.#others;
    list.push(entry);
    // In strides, so that a full log is not copied for each entry.
    if (list.length < KEPT * 1.25) return;
    if (entry.kind === "sent") this.#sent = list.slice(-KEPT);
    else this.#others = list.slice(-KEPT);
  }
}
