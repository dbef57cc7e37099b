import { ChangeSet, Text } from "@codemirror/state";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mapEnds, readEnds, sameEnds, writeEnds } from "../../src/documents/line-ends.js";
import { diffTexts } from "../../src/documents/text-diff.js";
import { decode, ENCODINGS, encode, isBinary } from "../../src/documents/text-format.js";

const END = fc.constantFrom("\n", "\r\n", "\r");
const LINE = fc
  .string({ unit: "binary", maxLength: 8 })
  .map((line) => line.replace(/[\r\n]/g, "·"));

/** A file's content as it is on disk: any lines, any ends, any encoding. */
const FILE = fc
  .tuple(fc.constantFrom(...ENCODINGS), fc.array(fc.tuple(LINE, END), { maxLength: 30 }), LINE)
  .map(([encoding, ended, last]) => ({
    encoding,
    string: ended.map(([line, end]) => line + end).join("") + last,
  }))
  // Without a mark of its own, a text that begins with one is a text with a mark.
  .filter(({ encoding, string }) => encoding !== "utf-8" || !string.startsWith("\ufeff"));

function bytesOf({ encoding, string }: { encoding: string; string: string }): Buffer {
  if (encoding === "utf-8") return Buffer.from(string);
  if (encoding === "utf-8 with BOM") return Buffer.from(`\ufeff${string}`);
  const bytes = Buffer.from(`\ufeff${string}`, "utf16le");
  return encoding === "utf-16le" ? bytes : bytes.swap16();
}

describe("a text file", () => {
  it("comes back byte by byte, whatever its encoding, mark and line ends", () => {
    fc.assert(
      fc.property(FILE, (file) => {
        const bytes = bytesOf(file);
        const decoded = decode(bytes);
        expect(decoded.damaged).toBe(false);
        expect(decoded.format.encoding).toBe(file.encoding);
        expect(decoded.text.toString()).toBe(file.string.replace(/\r\n?/g, "\n"));
        expect(encode(decoded.text, decoded.format).equals(bytes)).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  it("keeps every byte that an edit does not touch", () => {
    const edit = fc.record({
      at: fc.nat(200),
      length: fc.nat(10),
      insert: fc.array(LINE, { maxLength: 4 }).map((lines) => lines.join("\n")),
    });
    fc.assert(
      fc.property(FILE, fc.array(edit, { maxLength: 8 }), ({ string }, edits) => {
        const { text, format } = decode(bytesOf({ encoding: "utf-16le", string }));
        // The model: each character of the text with the bytes it stands for.
        let model: string[] = string.match(/\r\n|[\s\S]/g) ?? [];
        let [now, ends] = [text, format.ends];
        const usual = { lf: "\n", crlf: "\r\n", cr: "\r" }[ends.usual];
        for (const { at, length, insert } of edits) {
          const from = Math.min(at, now.length);
          const to = Math.min(from + length, now.length);
          const changes = ChangeSet.of({ from, to, insert }, now.length);
          now = changes.apply(now);
          ends = mapEnds(ends, changes);
          const added = insert.split("").map((one) => (one === "\n" ? usual : one));
          model = [...model.slice(0, from), ...added, ...model.slice(to)];
        }
        const bytes = encode(now, { encoding: "utf-16le", ends });
        expect(bytes.subarray(2).toString("utf16le")).toBe(model.join(""));
        const kept = readEnds(writeEnds(ends), now);
        expect(kept && sameEnds(kept, ends)).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  it("that is not valid in its encoding is known to be damaged", () => {
    for (const bytes of [
      Buffer.from([0x61, 0xff, 0x62]),
      Buffer.from([0xc0, 0xaf]),
      Buffer.from([0xed, 0xa0, 0x80]),
      Buffer.from([0xef, 0xbb, 0xbf, 0x80]),
      Buffer.from([0xff, 0xfe, 0x61]),
      Buffer.from([0xff, 0xfe, 0x00, 0xd8]),
      Buffer.from([0xfe, 0xff, 0xd8, 0x00]),
    ]) {
      expect(decode(bytes)).toMatchObject({ damaged: true });
      expect(decode(bytes).text.toString()).toContain("\ufffd");
    }
  });

  it("is binary if it has a NUL near its start, unless it is marked as UTF-16", () => {
    expect(isBinary(Buffer.from("a\0b"))).toBe(true);
    expect(isBinary(Buffer.from(`${"a".repeat(8_192)}\0`))).toBe(false);
    expect(isBinary(Buffer.from("\ufeffa", "utf16le"))).toBe(false);
  });

  it("has no record of line ends where no line ends", () => {
    const text = Text.of(["ab", "c"]);
    expect(readEnds(["lf", [1, "crlf"]], text)).toBeNull();
    expect(readEnds(["lf", [9, "crlf"]], text)).toBeNull();
    expect(readEnds(["lf", [2, "crlf"], [2, "cr"]], text)).toBeNull();
    expect(readEnds(["lf", [2, "crlf"]], text)).not.toBeNull();
  });
});

describe("the edit between two texts", () => {
  const words = fc.array(fc.constantFrom("a", "b", "ab", "", "c"), { minLength: 1, maxLength: 20 });

  it("makes the second of the first", () => {
    fc.assert(
      fc.property(words, words, (before, after) => {
        const [old, now] = [Text.of(before), Text.of(after)];
        const changes = ChangeSet.of(diffTexts(old, now), old.length);
        expect(changes.apply(old).eq(now)).toBe(true);
      }),
      { numRuns: 3_000 },
    );
  });

  it("leaves what is equal alone", () => {
    const old = Text.of(["one", "two", "three", "four"]);
    const changes = ChangeSet.of(
      diffTexts(old, Text.of(["one", "twice", "three", "4"])),
      old.length,
    );
    const touched: string[] = [];
    changes.iterChanges((from, to) => void touched.push(old.sliceString(from, to)));
    expect(touched).toEqual(["o", "four"]);
  });

  it("of very different long texts is found at once", () => {
    const long = (word: string) => Text.of(Array.from({ length: 50_000 }, (_, n) => word + n));
    const [old, now] = [long("a"), long("b")];
    const changes = ChangeSet.of(diffTexts(old, now), old.length);
    expect(changes.apply(old).eq(now)).toBe(true);
  });
});
