import { Text } from "@codemirror/state";
import type { NotebookChange } from "../contract/notebooks.js";
import type { SharedText } from "../texts/shared-text.js";
import {
  attachmentsIn,
  type Cell,
  countIn,
  fieldIn,
  infoOf,
  newKey,
  outputsIn,
  type Placed,
  sourceIn,
  wholeIn,
} from "./cell.js";
import type { CellTexts } from "./cell-texts.js";
import type { CellsInJson } from "./cells-in-json.js";
import { layOut } from "./layout.js";
import { matchCells } from "./match-cells.js";

/** What can be a key: it goes into names. */
const ID = /^[a-zA-Z0-9_-]{1,64}$/;

/**
 * Finds the cells again in a JSON that `by` has written: those that are known stay the same cells, and
 * their texts get the difference. Answers what windows are to be told. Throws `NotANotebook`, before it
 * has changed anything.
 */
export function followJson(
  json: CellsInJson,
  texts: CellTexts,
  written: SharedText,
  by: string,
): readonly NotebookChange[] {
  const { cells, ...frame } = layOut(written.toString());
  const after = written.text;
  const { cells: old, keys, text: before } = json;
  const places = cells.map(({ from, ...layout }): Placed => ({ from, layout }));
  const sources = places.map((place) => sourceIn(after, place));
  const matches = matchCells(
    old.map(({ layout: { id, kind }, shared }) => ({ id, kind, source: shared.toString() })),
    places.map(({ layout: { id, kind } }, index) => ({ id, kind, source: sources[index] ?? "" })),
  );
  const kept = new Set(matches);
  for (const [index, cell] of old.entries()) if (!kept.has(index)) texts.close(cell);
  json.restart(frame, after);
  const taken = new Set(keys);
  const added: Cell[] = [];
  const changes: NotebookChange[] = [];
  for (const [index, place] of places.entries()) {
    const known = old[matches[index] ?? -1];
    if (!known) {
      const cell = texts.open(keyFor(place, taken), place, after);
      taken.add(cell.key);
      added.push(cell);
      json.add(cell);
      continue;
    }
    json.add(known);
    changes.push(...moveCell(known, place, { before, after }));
    texts.follow(known, Text.of((sources[index] ?? "").split("\n")), by);
  }
  if (added.length === 0 && isSame(keys, json.keys)) return changes;
  const whole = added.map((cell) => wholeIn(after, cell));
  return [{ kind: "cells", keys: json.keys, added: whole }, ...changes];
}

/** A cell that is known stands elsewhere now. Answers what else of it is not as it was. */
function moveCell(
  cell: Cell,
  { from, layout }: Placed,
  { before, after }: { readonly before: Text; readonly after: Text },
): readonly NotebookChange[] {
  const { key } = cell;
  const seen = (json: Text) => ({
    info: JSON.stringify(infoOf(cell)),
    outputs: fieldIn(json, cell, "outputs"),
    attachments: fieldIn(json, cell, "attachments"),
  });
  const was = seen(before);
  cell.from = from;
  cell.layout = layout;
  cell.executionCount = countIn(after, cell);
  const is = seen(after);
  const changes: NotebookChange[] = [];
  if (is.info !== was.info) changes.push({ kind: "cell", cell: infoOf(cell) });
  if (is.outputs !== was.outputs) {
    changes.push({ kind: "outputs", key, from: 0, outputs: outputsIn(after, cell) });
  }
  if (is.attachments !== was.attachments) {
    changes.push({ kind: "attachments", key, attachments: attachmentsIn(after, cell) });
  }
  return changes;
}

/** Its id, where that can be a key and is nobody else's. */
function keyFor({ layout: { id } }: Placed, taken: ReadonlySet<string>): string {
  return id !== null && ID.test(id) && !taken.has(id) ? id : newKey();
}

const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((key, index) => key === b[index]);
