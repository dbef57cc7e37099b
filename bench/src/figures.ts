import { median } from "./statistics.js";

/** One row of a table. */
export interface Metric {
  readonly label: string;
  readonly unit: "µs" | "ms" | "KB" | "MB" | "/s";
  readonly better: "less" | "more";
}

export const less = (label: string, unit: Metric["unit"]): Metric => ({
  label,
  unit,
  better: "less",
});

/** Some figures of one of those who are measured. */
export type Row<Id extends string> = Readonly<Partial<Record<Id, number>>>;

/** All figures of a run: of each round one or, where a measurement is short, several. */
export class Figures<Who extends string = string, Id extends string = string> {
  /** In the order of the table. */
  readonly metrics: Readonly<Record<Id, Metric>>;
  /** Whom the others are measured against. */
  readonly baseline: Who;
  readonly #taken = new Map<string, number[]>();

  constructor(metrics: Readonly<Record<Id, Metric>>, baseline: Who) {
    this.metrics = metrics;
    this.baseline = baseline;
  }

  add(who: Who, row: Row<Id>): void {
    for (const [metric, value] of Object.entries<number | undefined>(row)) {
      if (value === undefined) continue;
      const key = `${who} ${metric}`;
      this.#taken.set(key, [...(this.#taken.get(key) ?? []), value]);
    }
  }

  all(who: Who, metric: Id): readonly number[] {
    return this.#taken.get(`${who} ${metric}`) ?? [];
  }

  /**
   * The best, because whatever else runs on the machine can only make a figure worse. Undefined
   * where nothing was measured.
   */
  best(who: Who, metric: Id): number | undefined {
    const all = this.all(who, metric);
    if (all.length === 0) return undefined;
    return this.metrics[metric].better === "less" ? Math.min(...all) : Math.max(...all);
  }

  /** Tells how noisy the machine was, beside {@link best}. */
  median(who: Who, metric: Id): number | undefined {
    const all = this.all(who, metric);
    return all.length === 0 ? undefined : median(all);
  }

  /** The best as a multiple of the baseline's best. */
  ratio(who: Who, metric: Id): number | undefined {
    const own = this.best(who, metric);
    const base = this.best(this.baseline, metric);
    return own === undefined || base === undefined ? undefined : own / base;
  }
}
