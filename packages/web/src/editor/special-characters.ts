import type { Extension } from "@codemirror/state";
import { highlightSpecialChars } from "@codemirror/view";

/**
 * Characters that reorder or hide text, which CodeMirror does not mark by itself. Marked ones are
 * drawn as a box, so they cannot make code look like other code.
 */
const HIDDEN = /[\u202a-\u202c\u2060-\u2064\u2068\u206a-\u206f\u180e\u115f\u1160\u3164\uffa0]/g;

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

/** Shows control characters, those of no width, and those that change the direction of text. */
export const specialCharacters: Extension = highlightSpecialChars({
  addSpecialChars: HIDDEN,
  render: (code, description) => {
    const mark = document.createElement("span");
    mark.className = "cm-specialChar";
    mark.textContent = NAMES[code] ?? `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
    mark.title = description ?? mark.textContent;
    mark.setAttribute("aria-label", mark.title);
    return mark;
  },
});
