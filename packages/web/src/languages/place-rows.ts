import type { Place } from "@lockstep/workbench/contract";
import { shownText } from "../design/shown-text.js";
import { type FileHead, fileHead } from "../files/file-head.js";

type PlacesFile = Pick<Place, "uri" | "path">;

export type PlaceRow =
  | FileHead<PlacesFile>
  | {
      readonly kind: "place";
      readonly file: PlacesFile;
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
  return [...files.values()].flatMap((inside): readonly PlaceRow[] => {
    const [file] = inside;
    if (!file) return [];
    const head = fileHead(file, inside.length, closed);
    const rows = inside.map(
      (place): PlaceRow => ({ kind: "place", file, place, pieces: piecesOf(place) }),
    );
    return head.open ? [head, ...rows] : [head];
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
