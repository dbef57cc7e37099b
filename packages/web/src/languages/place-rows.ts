import { printable } from "@lockstep/protocol";
import type { Place } from "@lockstep/workbench/contract";
import { shownText } from "../design/shown-text.js";

export type PlaceRow =
  | {
      readonly kind: "file";
      readonly uri: string;
      readonly name: string;
      readonly folder: string;
      readonly count: number;
      readonly open: boolean;
    }
  | {
      readonly kind: "place";
      readonly uri: string;
      readonly place: Place;
      /** The line in three pieces: before, the name itself, behind. */
      readonly pieces: readonly [string, string, string];
    };

/** So many characters stand before the name at most; the row is narrow. */
const LEAD = 60;

/** By file, in the order in which the files came. */
export function placeRows(
  places: readonly Place[],
  closed: ReadonlySet<string>,
): readonly PlaceRow[] {
  const files = new Map<string, Place[]>();
  for (const place of places) files.set(place.uri, [...(files.get(place.uri) ?? []), place]);
  return [...files].flatMap(([uri, inside]): readonly PlaceRow[] => {
    const path = inside[0]?.path ?? "";
    const at = path.lastIndexOf("/");
    const open = !closed.has(uri);
    const head: PlaceRow = {
      kind: "file",
      uri,
      name: printable(path.slice(at + 1)),
      folder: at > 0 ? printable(path.slice(0, at)) : "",
      count: inside.length,
      open,
    };
    const rows = inside.map(
      (place): PlaceRow => ({ kind: "place", uri, place, pieces: piecesOf(place) }),
    );
    return open ? [head, ...rows] : [head];
  });
}

function piecesOf({ text, range: { start, end } }: Place): readonly [string, string, string] {
  const shown = shownText(text);
  const to = end.line === start.line ? end.character : shown.length;
  const blank = shown.length - shown.trimStart().length;
  const from = Math.min(blank, start.character);
  const cut = start.character - from > LEAD ? start.character - LEAD : from;
  const before = `${cut > from ? "…" : ""}${shown.slice(cut, start.character)}`;
  return [before, shown.slice(start.character, to), shown.slice(to)];
}
