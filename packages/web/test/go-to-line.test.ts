import { Text } from "@codemirror/state";
import { describe, expect, it } from "vitest";
import { placeOf } from "../src/editor/go-to-line.js";

const text = Text.of(["one", "two", "three", "four"]);
const lineAndColumn = (asked: string, from = 0) => {
  const place = placeOf(asked, text, from);
  if (place === null) return null;
  const line = text.lineAt(place);
  return [line.number, place - line.from + 1];
};

describe("a place that a person asks for", () => {
  it("is a line, or a line and a column, counted from 1", () => {
    expect(lineAndColumn("3")).toEqual([3, 1]);
    expect(lineAndColumn(" 3:2 ")).toEqual([3, 2]);
  });

  it("may be relative to where the person is, or a share of the text", () => {
    expect(lineAndColumn("+2", 4)).toEqual([4, 1]);
    expect(lineAndColumn("-1", 4)).toEqual([1, 1]);
    expect(lineAndColumn("50%")).toEqual([2, 1]);
  });

  it("is the last one if it is beyond the end", () => {
    expect(lineAndColumn("99:99")).toEqual([4, 5]);
    expect(lineAndColumn("0")).toEqual([1, 1]);
  });

  it("is none if it is not a number", () => {
    expect(lineAndColumn("here")).toBeNull();
    expect(lineAndColumn("")).toBeNull();
  });
});
