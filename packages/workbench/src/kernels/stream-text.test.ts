import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { StreamText } from "./stream-text.js";

function printed(...chunks: readonly string[]): string {
  const stream = new StreamText();
  for (const chunk of chunks) stream.append(chunk);
  expect(stream.length).toBe(stream.toString().length);
  return stream.toString();
}

describe("a printed text", () => {
  it("is what a screen shows of it", () => {
    expect(printed("10%\r20%\r100%\n", "done")).toBe("100%\ndone");
    expect(printed("abc\r", "x")).toBe("xbc");
    expect(printed("abc\rx", "y")).toBe("xyc");
    expect(printed("abc\r\ndef\r\n")).toBe("abc\ndef\n");
    expect(printed("ab\b\bc")).toBe("cb");
    expect(printed("\b\ba")).toBe("a");
    expect(printed("one\ntwo\rT")).toBe("one\nTwo");
  });

  it("does not depend on where it was cut into pieces", () => {
    const piece = fc.string({ unit: fc.constantFrom("a", "b", "\n", "\r", "\b", "é") });
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        expect(printed(...pieces)).toBe(printed(pieces.join("")));
      }),
    );
  });
});
