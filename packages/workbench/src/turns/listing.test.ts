import { describe, expect, it } from "vitest";
import { type Indexed, type Listing, readListing } from "./listing.js";

const A = "a".repeat(40);
const B = "b".repeat(40);
const bytes = (text: string) => Buffer.from(text);

/** An entry as `git ls-files --stage --debug -z` writes it. */
const entry = (name: string, { mode = "100644", stage = 0, mtime = "5:0", size = 7 } = {}) =>
  `${mode} ${A} ${stage}\t${name}\0  ctime: 4:500000000\n  mtime: ${mtime}\n` +
  `  dev: 1\tino: 2\n  uid: 3\tgid: 4\n  size: ${size}\tflags: 0\n`;

function read(listing: Partial<Listing>) {
  const indexed = new Map<string, Indexed | null>();
  const others = readListing(
    { index: null, indexTime: 9_000, others: bytes(""), sizes: null, ...listing },
    (path, found) => indexed.set(path, found),
  );
  return { indexed, others };
}

describe("a listing", () => {
  it("has what git's index knows of a file, in milliseconds", () => {
    const index = bytes(entry("a b.txt") + entry("ü/c.txt", { mtime: "6:250000000", size: 0 }));
    expect(Object.fromEntries(read({ index }).indexed)).toEqual({
      "a b.txt": { object: A, mtime: 5_000, ctime: 4_500, size: 7 },
      "ü/c.txt": { object: A, mtime: 6_250, ctime: 4_500, size: 0 },
    });
  });

  it("trusts no time of a file that is as young as the index", () => {
    const { indexed } = read({ index: bytes(entry("a", { mtime: "9:0" })) });
    expect(indexed.get("a")?.mtime).toBeNaN();
  });

  it("trusts no time of a file whose object has another size", () => {
    const index = bytes(entry("a"));
    expect(read({ index, sizes: bytes(`${A} blob 7\n`) }).indexed.get("a")?.mtime).toBe(5_000);
    expect(read({ index, sizes: bytes(`${A} blob 8\n`) }).indexed.get("a")?.mtime).toBeNaN();
    expect(read({ index, sizes: bytes(`${B} blob 7\n`) }).indexed.get("a")?.mtime).toBeNaN();
  });

  it("knows nothing of a file in a merge, and passes over another repository", () => {
    const index = bytes(entry("a", { stage: 2 }) + entry("sub", { mode: "160000" }) + entry("z"));
    const { indexed } = read({ index });
    expect([...indexed.keys()]).toEqual(["a", "z"]);
    expect(indexed.get("a")).toBeNull();
  });

  it("ends where git was cut off", () => {
    const whole = entry("a") + entry("b");
    expect([...read({ index: bytes(whole.slice(0, -3)) }).indexed.keys()]).toEqual(["a"]);
  });

  it("answers the others, without folders", () => {
    expect(read({ others: bytes("x\ny\0folder/\0z\0") }).others).toEqual(["x\ny", "z"]);
  });
});
