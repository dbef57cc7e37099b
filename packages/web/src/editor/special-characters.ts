import type { Extension } from "@codemirror/state";
import { highlightSpecialChars } from "@codemirror/view";

/**
 * Characters that reorder or hide text, which CodeMirror does not mark by itself. Marked ones are
 * drawn as a box, so they cannot make code look like other code. One selector of a variant belongs to
 * its character, as in many emoji; several in a row, and the tags, can hold a text that nobody sees.
 */
const HIDDEN =
  /[\u202a-\u202c\u2060-\u2064\u2068\u206a-\u206f\u180e\u115f\u1160\u3164\uffa0\u{e0000}-\u{e0fff}]|[\ufe00-\ufe0f]{2,}/gu;

const NAMES: Readonly<Record<number, string>> = {
  0: "NUL",
  7: "BEL",
  8: "BS",
  11: "VT",
  12: "FF",
  13: "CR",
  27: "ESC",
  127: "DEL",
  173: "SHY",
  1564: "ALM",
  8203: "ZWSP",
  8206: "LRM",
  8207: "RLM",
  8232: "LSEP",
  8233: "PSEP",
  8234: "LRE",
  8235: "RLE",
  8236: "PDF",
  8237: "LRO",
  8238: "RLO",
  8288: "WJ",
  8294: "LRI",
  8295: "RLI",
  8296: "FSI",
  8297: "PDI",
  65279: "BOM",
};

/** CodeMirror's own and ours; a tab stays what it is. */
const SPECIAL = new RegExp(
  `[\\0-\\x08\\x0a-\\x1f\\x7f-\\x9f\\xad\\u061c\\u200b\\u200e\\u200f\\u2028\\u2029\\u202d\\u202e\\u2066\\u2067\\u2069\\ufeff\\ufff9-\\ufffc]|${HIDDEN.source}`,
  "gu",
);

/** A line as the pieces that it is drawn by outside of an editor: the same characters are marked. */
export function withMarks(line: string): readonly (string | Node)[] {
  const pieces: (string | Node)[] = [];
  let at = 0;
  for (const { 0: found, index } of line.matchAll(SPECIAL)) {
    if (index > at) pieces.push(line.slice(at, index));
    pieces.push(markFor(found.codePointAt(0) ?? 0));
    at = index + found.length;
  }
  if (at < line.length) pieces.push(line.slice(at));
  return pieces;
}

function markFor(code: number, description?: string | null): HTMLElement {
  const mark = document.createElement("span");
  mark.className = "cm-specialChar";
  mark.textContent = NAMES[code] ?? `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
  mark.title = description ?? mark.textContent;
  mark.setAttribute("aria-label", mark.title);
  return mark;
}

/** Shows control characters, those of no width, and those that change the direction of text. */
export const specialCharacters: Extension = highlightSpecialChars({
  addSpecialChars: HIDDEN,
  render: (code, description) => markFor(code, description),
});
