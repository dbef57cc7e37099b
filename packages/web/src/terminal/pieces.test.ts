import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pieces } from "./pieces.js";

describe("a long paste", () => {
  it("is sent whole, in pieces that split no character", () => {
    const part = fc.tuple(fc.string({ unit: "binary", minLength: 1 }), fc.nat(6_000));
    fc.assert(
      fc.property(fc.array(part, { maxLength: 5 }), (parts) => {
        const text = parts.map(([unit, times]) => unit.repeat(times)).join("");
        const found = pieces(text);
        expect(found.join("") === text).toBe(true);
        for (const piece of found) {
          expect(piece.length).toBeLessThanOrEqual(32 * 1024);
          expect(piece.isWellFormed()).toBe(true);
        }
      }),
      { numRuns: 30 },
    );
  });
});
