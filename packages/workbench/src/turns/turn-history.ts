import { WorkbenchError } from "../errors.js";
import type { Surroundings } from "../surroundings.js";
import { copyOf } from "./image.js";
import { Turn } from "./turn.js";
import type { TurnRecords } from "./turn-record.js";

/** Between two writes of the running turn. */
const SAVE_MS = 150;

/** The running turn and those before it: in the state that windows see, and on the disk. */
export class TurnHistory {
  readonly #surroundings: Surroundings;
  readonly #records: TurnRecords;
  readonly #turns = new Map<string, Turn>();
  #now: Turn;
  #saving: NodeJS.Timeout | undefined;

  /** With the turns of last time, of which one may go on. */
  constructor(surroundings: Surroundings, records: TurnRecords, known: readonly Turn[]) {
    this.#surroundings = surroundings;
    this.#records = records;
    const last = known.findLast(({ until }) => until === null);
    this.#now = last ?? new Turn({ since: Date.now(), agent: null, others: [] });
    for (const turn of [...known, this.#now]) this.#turns.set(turn.id, turn);
    for (const turn of this.ended) {
      // Of two that ran, as a crash between two writes may leave, the earlier has ended.
      turn.until ??= turn.since;
      this.#show(turn);
    }
  }

  /** The one that runs. */
  get now(): Turn {
    return this.#now;
  }

  get ended(): readonly Turn[] {
    return [...this.#turns.values()].filter((turn) => turn !== this.#now);
  }

  /** The names of the copies that they need. */
  get copies(): readonly string[] {
    return [...this.#turns.values()].flatMap(({ files }) =>
      [...files.values()].flatMap(({ before, after }) =>
        [before, after].flatMap((image) =>
          image?.kind === "file" ? (copyOf(image.content) ?? []) : [],
        ),
      ),
    );
  }

  need(id: string): Turn {
    const turn = this.#turns.get(id);
    if (!turn) throw new WorkbenchError("This turn is not in the history any more.");
    return turn;
  }

  /** This one runs from now on. */
  begin(turn: Turn): void {
    this.#now = turn;
    this.#turns.set(turn.id, turn);
    this.publish(turn);
  }

  /** A turn has changed. Of one that is not in the history any more nobody is told. */
  publish(turn: Turn): void {
    if (this.#turns.get(turn.id) !== turn) return;
    this.#show(turn);
    if (turn !== this.#now) this.write(turn);
    else this.#saving ??= setTimeout(() => this.save(), SAVE_MS);
  }

  /** Its files have changed, or what can be done with them. */
  tellFiles(turn: Turn): void {
    this.#surroundings.broadcast("turn.changed", { turn: turn.id });
  }

  /** Now, and not a moment later. */
  write(turn: Turn): void {
    this.#records.write(turn.record);
  }

  /** Writes the running one. */
  save(): void {
    clearTimeout(this.#saving);
    this.#saving = undefined;
    this.write(this.#now);
  }

  drop(turn: Turn): void {
    this.#turns.delete(turn.id);
    this.#records.remove(turn.id);
    this.#surroundings.store.remove("turns", turn.id);
  }

  /** Writes what is still to be written. */
  async close(): Promise<void> {
    this.save();
    await this.#records.flush();
  }

  #show(turn: Turn): void {
    this.#surroundings.store.put("turns", turn.id, turn.info);
    this.tellFiles(turn);
  }
}
