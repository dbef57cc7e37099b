import { availableParallelism, cpus } from "node:os";
import type { Verdict } from "./budgets.js";
import { CONTENDERS, type ContenderName } from "./contender.js";
import type { Crowd } from "./measurements/crowd.js";
import { type Figures, METRIC_IDS, METRICS, type MetricId } from "./metrics.js";

export interface Outcome {
  readonly rounds: number;
  readonly figures: Figures;
  readonly crowd: Crowd;
  readonly verdicts: readonly Verdict[];
}

const COLUMNS: readonly (readonly [ContenderName, string])[] = [
  ["raw", "raw ws"],
  ["sdk", "MCP SDK on ws"],
  ["lockstep", "Lockstep"],
];

/** What the table's words mean, for who reads it without the code. */
const NOTE =
  "Best of all turns of all rounds. Memory is the resident set after a garbage collection, the least of five readings.";

/** For a terminal: columns that line up, then the budgets. */
export function asText(outcome: Outcome): string {
  const rows = table(outcome.figures);
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  const lines = rows.map((row) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join("   "),
  );
  const verdicts = outcome.verdicts.map(
    ({ promise, found, kept }) => `${kept ? "ok    " : "MISSED"}  ${promise}: ${found}`,
  );
  return [setting(outcome.rounds), "", ...lines, "", NOTE, "", ...verdicts].join("\n");
}

/** For the README. */
export function asMarkdown({ rounds, figures, verdicts }: Outcome): string {
  const [head = [], ...rows] = table(figures);
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const rule = line(head.map((_, column) => (column === 0 ? "---" : "---:")));
  const budgets = verdicts.map(
    ({ promise, found, kept }) => `- ${kept ? "kept" : "**missed**"}: ${promise} (${found})`,
  );
  const lines = [
    setting(rounds),
    "",
    line(head),
    rule,
    ...rows.map(line),
    "",
    NOTE,
    "",
    ...budgets,
  ];
  return lines.join("\n");
}

/** For a program: all that was measured. */
export function asJson({ rounds, figures, crowd, verdicts }: Outcome): string {
  const perMetric = (contender: ContenderName, metric: MetricId) => ({
    unit: METRICS[metric].unit,
    best: figures.best(contender, metric),
    median: figures.median(contender, metric),
    ratio: figures.ratio(contender, metric),
    all: figures.all(contender, metric),
  });
  const contenders = CONTENDERS.map((contender) => [
    contender,
    Object.fromEntries(METRIC_IDS.map((metric) => [metric, perMetric(contender, metric)])),
  ]);
  const results = Object.fromEntries(contenders);
  return JSON.stringify({ setting: setting(rounds), results, crowd, verdicts }, null, 2);
}

function setting(rounds: number): string {
  const model = cpus()[0]?.model ?? "unknown processor";
  const date = new Date().toISOString().slice(0, 10);
  return `${date}, Node ${process.versions.node}, ${process.platform} ${process.arch}, ${availableParallelism()} × ${model}, ${rounds} rounds`;
}

/** The first row is the head. A ratio stands beside each figure but the raw server's. */
function table(figures: Figures): readonly (readonly string[])[] {
  const head = COLUMNS.flatMap(([id, name]) => (id === "raw" ? [name] : [name, "× raw"]));
  const rows = METRIC_IDS.map((metric) => {
    const cells = COLUMNS.flatMap(([id]) => {
      const { unit } = METRICS[metric];
      const figure = figures.best(id, metric);
      const value = figure === undefined ? "" : `${rounded(figure)} ${unit}`;
      const ratio = figures.ratio(id, metric);
      return id === "raw" ? [value] : [value, ratio?.toFixed(2) ?? ""];
    });
    return [METRICS[metric].label, ...cells];
  });
  return [["", ...head], ...rows];
}

/** Three digits are more than the machine's noise leaves meaningful. */
function rounded(value: number): string {
  if (value >= 1_000) return (Math.round(value / 100) * 100).toLocaleString("en");
  if (value >= 100) return value.toFixed(0);
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
