import type { ContenderName } from "./contender.js";
import { median } from "./statistics.js";

/** One row of the table. */
export interface Metric {
  readonly label: string;
  readonly unit: "µs" | "ms" | "MB" | "/s";
  readonly better: "less" | "more";
}

const less = (label: string, unit: Metric["unit"]): Metric => ({ label, unit, better: "less" });

/** In the order of the table. */
export const METRICS = {
  callP50: less("tool call, p50", "µs"),
  callP99: less("tool call, p99", "µs"),
  concurrent: { label: "16 calls in flight", unit: "/s", better: "more" },
  proposal1: less("openDiff of 1 MB", "ms"),
  proposal10: less("openDiff of 10 MB", "ms"),
  proposal50: less("openDiff of 50 MB", "ms"),
  connecting: less("connect and initialize, p50", "ms"),
  start: less("process start to lock file", "ms"),
  firstCall: less("process start to first tool call", "ms"),
  memoryIdle: less("memory after the start", "MB"),
  memoryInUse: less("memory with an agent connected", "MB"),
  memoryAfter: less("memory after the calls", "MB"),
  memoryHeld: less("heap and buffers after the openDiffs", "MB"),
  selectionP50: less("selection to frame, p50", "ms"),
  selectionP99: less("selection to frame, p99", "ms"),
} as const satisfies Record<string, Metric>;

export type MetricId = keyof typeof METRICS;
export const METRIC_IDS = Object.keys(METRICS) as readonly MetricId[];

/** Some figures of one server. */
export type Row = Readonly<Partial<Record<MetricId, number>>>;

/** All figures of a run: of each round one or, where a measurement is short, several. */
export class Figures {
  readonly #taken = new Map<string, number[]>();

  add(contender: ContenderName, row: Row): void {
    for (const [metric, value] of Object.entries(row)) {
      const key = `${contender} ${metric}`;
      this.#taken.set(key, [...(this.#taken.get(key) ?? []), value]);
    }
  }

  all(contender: ContenderName, metric: MetricId): readonly number[] {
    return this.#taken.get(`${contender} ${metric}`) ?? [];
  }

  /**
   * The best, because whatever else runs on the machine can only make a figure worse. Undefined
   * where nothing was measured.
   */
  best(contender: ContenderName, metric: MetricId): number | undefined {
    const all = this.all(contender, metric);
    if (all.length === 0) return undefined;
    return METRICS[metric].better === "less" ? Math.min(...all) : Math.max(...all);
  }

  /** Tells how noisy the machine was, beside {@link best}. */
  median(contender: ContenderName, metric: MetricId): number | undefined {
    const all = this.all(contender, metric);
    return all.length === 0 ? undefined : median(all);
  }

  /** The best as a multiple of the raw server's best. */
  ratio(contender: ContenderName, metric: MetricId): number | undefined {
    const own = this.best(contender, metric);
    const raw = this.best("raw", metric);
    return own === undefined || raw === undefined ? undefined : own / raw;
  }
}
