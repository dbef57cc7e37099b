import { type Figures, less, type Metric, type Row as RowOf } from "../figures.js";
import type { ContenderName } from "./contender.js";

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

/** Some figures of one server. */
export type Row = RowOf<MetricId>;
export type EngineFigures = Figures<ContenderName, MetricId>;
