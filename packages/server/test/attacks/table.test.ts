import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = new URL("../../../../", import.meta.url);
const read = (path: string) => readFileSync(fileURLToPath(new URL(path, root)), "utf8");

/** Every `file`: name in the last column of docs/attacks.md. */
const claims = read("docs/attacks.md")
  .split("\n")
  .filter((line) => line.startsWith("| ") && line.includes(".test.ts`: "))
  .flatMap((line) => line.split(" | ").at(-1)?.replace(/ \|$/, "").split("<br>") ?? [])
  .map((claim) => /^`([^`]+)`: (.+)$/.exec(claim)?.slice(1) ?? [claim, ""]);

it("docs/attacks.md names only tests that there are", () => {
  expect(claims.length).toBeGreaterThan(50);
  expect(claims.filter(([file = "", name = ""]) => !isTitle(read(file), name))).toEqual([]);
});

/** What stands before a title: `it(`, `describe(`, or one of these under a condition or for a list. */
const CALL = /\b(?:it|describe)(?:\.\w+\([\s\S]*\))?\(\s*(?:titled\()?$/;

/** A title stands in quotes, or begins a template whose rest is filled in. */
function isTitle(source: string, name: string): boolean {
  return ['"', "`"].some((quote) => {
    const at = source.indexOf(quote + name);
    return at !== -1 && CALL.test(source.slice(0, at));
  });
}
