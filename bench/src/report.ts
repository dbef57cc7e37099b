import { availableParallelism, cpus, loadavg } from "node:os";
import type { Figures } from "./figures.js";
import type { Verdict } from "./verdict.js";

/** A part of the bench that was run: its table, and what it promises. */
export interface Section {
  /** Its key in the JSON. */
  readonly name: string;
  readonly title: string;
  readonly rounds: number;
  readonly figures: Figures;
  /** Who stands in the table, and under which name; the baseline first, if it was measured. */
  readonly columns: readonly (readonly [who: string, name: string])[];
  /** Over the column beside each figure but the baseline's. */
  readonly ratio: string;
  /** What the table's words mean, for who reads it without the code. */
  readonly note: string;
  /** For programs only. */
  readonly details: Readonly<Record<string, unknown>>;
  readonly verdicts: readonly Verdict[];
}

/** Whether others were at work on the machine when the bench began; not known on Windows. */
const LOAD = process.platform === "win32" ? "" : `, load ${(loadavg()[0] ?? 0).toFixed(1)}`;

/** For a terminal: columns that line up, then the budgets. */
export function asText(sections: readonly Section[]): string {
  const parts = sections.map((section) => {
    const verdicts = section.verdicts.map(
      ({ promise, found, kept }) => `${kept ? "ok    " : "MISSED"}  ${promise}: ${found}`,
    );
    return [heading(section), "", ...aligned(table(section)), "", section.note, "", ...verdicts];
  });
  return [setting(), ...parts.flatMap((lines) => ["", ...lines])].join("\n");
}

/** For the README. */
export function asMarkdown(sections: readonly Section[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const parts = sections.map((section) => {
    const [head = [], ...rows] = table(section);
    const rule = line(head.map((_, column) => (column === 0 ? "---" : "---:")));
    const budgets = section.verdicts.map(
      ({ promise, found, kept }) => `- ${kept ? "kept" : "**missed**"}: ${promise} (${found})`,
    );
    const lines = [line(head), rule, ...rows.map(line), "", section.note, "", ...budgets];
    return [`### ${heading(section)}`, "", ...lines];
  });
  return [setting(), ...parts.flatMap((lines) => ["", ...lines])].join("\n");
}

/** For a program: all that was measured. */
export function asJson(sections: readonly Section[]): string {
  const parts = sections.map((section) => {
    const { name, rounds, details, verdicts } = section;
    return [name, { rounds, results: results(section), ...details, verdicts }];
  });
  return JSON.stringify({ setting: setting(), ...Object.fromEntries(parts) }, null, 2);
}

function results({ figures, columns }: Section): object {
  const perMetric = (who: string, metric: string) => ({
    unit: figures.metrics[metric]?.unit,
    best: figures.best(who, metric),
    median: figures.median(who, metric),
    ratio: figures.ratio(who, metric),
    all: figures.all(who, metric),
  });
  const rows = columns.map(([who]) => [
    who,
    Object.fromEntries(
      Object.keys(figures.metrics).map((metric) => [metric, perMetric(who, metric)]),
    ),
  ]);
  return Object.fromEntries(rows);
}

function setting(): string {
  const model = cpus()[0]?.model ?? "unknown processor";
  const date = new Date().toISOString().slice(0, 10);
  const system = `Node ${process.versions.node}, ${process.platform} ${process.arch}`;
  return `${date}, ${system}, ${availableParallelism()} × ${model}${LOAD}`;
}

function heading({ title, rounds }: Section): string {
  return `${title}, ${rounds} ${rounds === 1 ? "round" : "rounds"}`;
}

/** The first row is the head. */
function table({ figures, columns, ratio }: Section): readonly (readonly string[])[] {
  const isBase = (who: string, column: number) => column === 0 || who === figures.baseline;
  const head = columns.flatMap(([who, name], at) => (isBase(who, at) ? [name] : [name, ratio]));
  const rows = Object.entries(figures.metrics).map(([metric, { label, unit }]) => {
    const cells = columns.flatMap(([who], at) => {
      const figure = figures.best(who, metric);
      const value = figure === undefined ? "" : `${rounded(figure)} ${unit}`;
      return isBase(who, at) ? [value] : [value, figures.ratio(who, metric)?.toFixed(2) ?? ""];
    });
    return [label, ...cells];
  });
  return [["", ...head], ...rows];
}

function aligned(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  const pad = (cell: string, column: number) =>
    column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0);
  return rows.map((row) => row.map(pad).join("   "));
}

/** Three digits are more than the machine's noise leaves meaningful. */
function rounded(value: number): string {
  if (value >= 1_000) return (Math.round(value / 100) * 100).toLocaleString("en");
  if (value >= 100) return value.toFixed(0);
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
