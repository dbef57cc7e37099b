import { isEmptyRange, type Range } from "@lockstep/editor";
import type { Uri } from "@lockstep/protocol";
import type { Sight } from "../contract/agents.js";

interface Sources {
  readonly active: () => Uri | null;
  /** What is selected; in a notebook, in which cell. */
  readonly selected: (uri: Uri) => { readonly range: Range; readonly cell?: number } | null;
  readonly labelOf: (uri: Uri) => string | null;
  readonly whyWithheld: (uri: Uri) => Promise<string | null>;
  readonly sees: (sight: Sight) => void;
}

const WHY: Readonly<Record<string, string>> = {
  "denied-here": "it may hold secrets",
  "denied-by-agent": "the agent's own settings deny it",
  "git-ignored": "git ignores it",
};

/** Keeps what the page says of what agents see equal to what they do see. */
export class Watchfulness {
  readonly #sources: Sources;
  #looking = false;
  #again = false;

  constructor(sources: Sources) {
    this.#sources = sources;
  }

  /** Something may have changed. Looks once more if it is looking already. */
  look(): void {
    this.#again = true;
    if (!this.#looking) void this.#run();
  }

  async #run(): Promise<void> {
    this.#looking = true;
    while (this.#again) {
      this.#again = false;
      this.#sources.sees(await this.#sight().catch((): Sight => ({ kind: "nothing" })));
    }
    this.#looking = false;
  }

  async #sight(): Promise<Sight> {
    const { active, selected, labelOf, whyWithheld } = this.#sources;
    const uri = active();
    const label = uri && labelOf(uri);
    const found = uri && selected(uri);
    if (!uri || label === null || !found) return { kind: "nothing" };
    const { range, ...cell } = found;
    const why = await whyWithheld(uri);
    if (why !== null) return { kind: "withheld", label, why: WHY[why] ?? why };
    if (isEmptyRange(range)) return { kind: "file", uri, label, ...cell };
    const { start, end } = range;
    // As agents count: a selection that ends before a line's first character does not hold that line.
    const last = end.character === 0 && end.line > start.line ? end.line - 1 : end.line;
    return { kind: "lines", uri, label, first: start.line, last, ...cell };
  }
}
