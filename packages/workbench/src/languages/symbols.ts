import type { DocumentSymbol } from "../contract/languages.js";
import { symbolKind } from "./kinds.js";
import * as lsp from "./lsp.js";

/** Of one document, at all depths. */
const MOST = 5_000;
const DEEPEST = 50;

/** The names in a document, as a tree; a server that knows no tree gives a flat list. */
export function documentSymbols(answer: unknown): readonly DocumentSymbol[] {
  let left = MOST;
  const read = (items: unknown, depth: number): DocumentSymbol[] => {
    if (depth > DEEPEST) return [];
    const found: DocumentSymbol[] = [];
    for (const item of Array.isArray(items) ? items : []) {
      if (left <= 0) break;
      const symbol = one(item);
      if (!symbol) continue;
      left--;
      found.push({ ...symbol, children: read(item.children, depth + 1) });
    }
    return found;
  };
  return read(answer, 0);
}

function one(item: unknown): Omit<DocumentSymbol, "children"> | null {
  const tree = lsp.documentSymbol.safeParse(item).data;
  if (tree) {
    const { name, detail, kind, range, selectionRange } = tree;
    return { name, detail: detail ?? "", kind: symbolKind(kind), range, selection: selectionRange };
  }
  const flat = lsp.symbolInformation.safeParse(item).data;
  if (!flat) return null;
  const { range } = flat.location;
  return { name: flat.name, detail: "", kind: symbolKind(flat.kind), range, selection: range };
}
