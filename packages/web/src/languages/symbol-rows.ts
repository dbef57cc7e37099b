import type { DocumentSymbol } from "@lockstep/workbench/contract";
import { fuzzyMatch } from "../shell/fuzzy.js";

export interface SymbolRow {
  readonly symbol: DocumentSymbol;
  readonly depth: number;
  /** What it stands in, such as a class; "" at the top. */
  readonly inside: string;
  readonly matched: readonly number[];
}

/** All as they stand in the text; with a query those whose names have its letters, the best first. */
export function symbolRows(
  symbols: readonly DocumentSymbol[],
  query: string,
): readonly SymbolRow[] {
  const all = flat(symbols, 0, "");
  if (query.trim() === "") return all;
  return all
    .flatMap((row) => {
      const match = fuzzyMatch(query, row.symbol.name);
      return match ? [{ row: { ...row, depth: 0, matched: match.matched }, ...match }] : [];
    })
    .sort((a, b) => b.score - a.score)
    .map(({ row }) => row);
}

function flat(
  symbols: readonly DocumentSymbol[],
  depth: number,
  inside: string,
): readonly SymbolRow[] {
  return [...symbols]
    .sort((a, b) => a.range.start.line - b.range.start.line)
    .flatMap((symbol) => [
      { symbol, depth, inside, matched: [] },
      ...flat(symbol.children, depth + 1, symbol.name),
    ]);
}
