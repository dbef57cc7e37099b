import { describe, expect, it } from "vitest";
import { onScreen, readAnsi } from "./ansi.js";

const ESC = "\u001b";
const looks = (text: string) =>
  readAnsi(text).map(({ text: shown, colour, ground, bold }) => [shown, colour, ground, bold]);

describe("printed text", () => {
  it("has the colours that it asks for", () => {
    expect(looks(`a${ESC}[31mred${ESC}[0m b ${ESC}[1;92;44mx${ESC}[39;49;22my`)).toEqual([
      ["a", null, null, false],
      ["red", 1, null, false],
      [" b ", null, null, false],
      ["x", 10, 4, true],
      ["y", null, null, false],
    ]);
    expect(looks(`${ESC}[38;5;196ma${ESC}[38;2;1;2;999mb${ESC}[48;5;244mc`)).toEqual([
      ["a", 1, null, false],
      ["b", 4, null, false],
      ["c", 4, null, false],
    ]);
  });

  it("leaves out codes that are not colours, whole or broken", () => {
    const text = `${ESC}[2J${ESC}[1;1Ha${ESC}]8;;http://x${ESC}\\b${ESC}]0;title\u0007c${ESC}(`;
    expect(
      readAnsi(text)
        .map((piece) => piece.text)
        .join(""),
    ).toBe("abc");
    expect(looks(`${ESC}[38;5m${ESC}[38mx${ESC}[;;ma`)).toEqual([
      ["x", null, null, false],
      ["a", null, null, false],
    ]);
  });

  it("shows what is left of a line that was written over", () => {
    expect(onScreen("10%\r20%\r100%\ndone\r\nab\b\bc")).toBe("100%\ndone\ncb");
  });
});
