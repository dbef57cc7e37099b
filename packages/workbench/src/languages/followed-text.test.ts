import { ChangeSet, Text } from "@codemirror/state";
import fc from "fast-check";
import { expect, it } from "vitest";
import { contentChanges, offsetAt, positionAt } from "./followed-text.js";

const texts = fc
  .array(fc.constantFrom("a", "é", "😀", "\n", " "), { maxLength: 40 })
  .map((parts) => Text.of(parts.join("").split("\n")));

it("changes that are told to a server one after the other make the same text there", () => {
  const wish = fc.record({
    at: fc.nat(),
    length: fc.nat(5),
    insert: fc.constantFrom("", "x", "y\nz"),
  });
  fc.assert(
    fc.property(texts, fc.array(wish, { maxLength: 6 }), (before, wishes) => {
      const specs = wishes.map(({ at, length, insert }) => {
        const from = at % (before.length + 1);
        return { from, to: Math.min(from + length, before.length), insert };
      });
      const changes = ChangeSet.of(specs, before.length);
      let there = before;
      for (const { range, text } of contentChanges(before, changes)) {
        if (!range) throw new Error("no range");
        const [from, to] = [offsetAt(there, range.start), offsetAt(there, range.end)];
        there = there.replace(from, to, Text.of(text.split("\n")));
      }
      expect(there.toString()).toBe(changes.apply(before).toString());
    }),
  );
});

it("every place in a text has a position, and every position a place in it", () => {
  fc.assert(
    fc.property(texts, fc.nat(50), (text, at) => {
      const offset = Math.min(at, text.length);
      expect(offsetAt(text, positionAt(text, offset))).toBe(offset);
    }),
  );
  const text = Text.of(["ab", ""]);
  expect(offsetAt(text, { line: 0, character: 9 })).toBe(2);
  expect(offsetAt(text, { line: 7, character: 0 })).toBe(3);
});
