import { expect, it } from "vitest";
import { sizeWords } from "./size-words.js";

it("says a size as people do", () => {
  const sizes = [0, 1, 1023, 1024, 12_700, 150_000, 50 * 1024 * 1024, 3.25 * 1024 ** 3, 2 ** 60];
  expect(sizes.map(sizeWords)).toEqual([
    "0 bytes",
    "1 byte",
    "1023 bytes",
    "1 KB",
    "12.4 KB",
    "146 KB",
    "50 MB",
    "3.3 GB",
    "1048576 TB",
  ]);
});
