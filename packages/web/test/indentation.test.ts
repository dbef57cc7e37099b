import { Text } from "@codemirror/state";
import { describe, expect, it } from "vitest";
import { detectIndentation } from "../src/editor/indentation.js";

const fallback = { insertSpaces: true, size: 2 };
const detect = (text: string) => detectIndentation(Text.of(text.split("\n")), fallback);

describe("the indentation of a text", () => {
  it("is the step from one line to a deeper one", () => {
    expect(detect("a:\n    b:\n        c\nd")).toEqual({ insertSpaces: true, size: 4 });
    expect(detect("a {\n  b {\n    c\n  }\n}")).toEqual({ insertSpaces: true, size: 2 });
  });

  it("is by tabs where more lines begin with one", () => {
    expect(detect("a\n\tb\n\t\tc\n  d")).toEqual({ insertSpaces: false, size: 2 });
  });

  it("does not count the stars of comments", () => {
    expect(detect("/**\n * a\n * b\n */\nfunction f() {\n    return 1;\n}")).toEqual({
      insertSpaces: true,
      size: 4,
    });
  });

  it("is the setting's where the text does not tell", () => {
    expect(detect("one\ntwo\n")).toEqual(fallback);
  });
});
