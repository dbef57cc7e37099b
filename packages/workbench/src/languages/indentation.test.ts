import { Text } from "@codemirror/state";
import { expect, it } from "vitest";
import { indentationOf } from "./indentation.js";

const usual = { tabSize: 3, insertSpaces: false };
const of = (...lines: string[]) => indentationOf(Text.of(lines), usual);

it("a text is indented as most of its lines are, else as usual", () => {
  expect(of("a", "  b", "    c", "  d", "      e")).toEqual({ tabSize: 2, insertSpaces: true });
  expect(of("a", "    b", "c", "    d")).toEqual({ tabSize: 4, insertSpaces: true });
  expect(of("a", "\tb", "\t\tc", "  d")).toEqual({ tabSize: 3, insertSpaces: false });
  expect(of("a", "b", "")).toEqual(usual);
});
