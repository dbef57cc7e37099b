import { describe, expect, it } from "vitest";
import { piecesOf } from "./search-rows.js";

const shown = (text: string, word: string) => {
  const from = text.indexOf(word);
  const matches = [{ from, to: from + word.length }];
  return piecesOf({ line: 0, text, matches })
    .map((piece) => piece.text)
    .join("");
};

describe("a line that was found", () => {
  it("begins with its first letter where the match is near it", () => {
    expect(shown("    return hour + 1;", "hour")).toBe("return hour + 1;");
    expect(shown("import { nextHour }", "Hour")).toBe("import { nextHour }");
  });

  it("begins at a word where the match is far from its first letter", () => {
    expect(shown("export function nextHour()", "Hour")).toBe("…nextHour()");
    expect(shown("a very long word before_the_match_hour", "hour")).toBe("…e_the_match_hour");
  });
});
