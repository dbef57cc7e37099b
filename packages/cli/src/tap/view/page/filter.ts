import type { Row } from "../page-data.js";

export interface Filter {
  /** A tool or method; empty for all. */
  readonly label: string;
  readonly text: string;
  /** Whether pings are shown: there is one every few seconds. */
  readonly pings: boolean;
}

export const NO_FILTER: Filter = { label: "", text: "", pings: false };

/** The rows that are to be seen, as indices. */
export function visible(rows: readonly Row[], { label, text, pings }: Filter): readonly number[] {
  const wanted = text.toLowerCase();
  const found: number[] = [];
  for (const [index, row] of rows.entries()) {
    if (label !== "" && row.label !== label) continue;
    if (!pings && label === "" && isPing(row)) continue;
    if (wanted !== "" && !matches(row, wanted)) continue;
    found.push(index);
  }
  return found;
}

function matches({ label, text }: Row, wanted: string): boolean {
  return label.toLowerCase().includes(wanted) || text.toLowerCase().includes(wanted);
}

const isPing = ({ label }: Row): boolean => label === "ping" || label === "pong";

/** Every tool and method, the most frequent first. */
export function labels(rows: readonly Row[]): readonly (readonly [label: string, count: number])[] {
  const counts = new Map<string, number>();
  for (const { label } of rows) counts.set(label, (counts.get(label) ?? 0) + 1);
  return [...counts].sort(([a, some], [b, more]) => more - some || (a < b ? -1 : 1));
}
