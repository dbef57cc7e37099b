import { describe, expect, it } from "vitest";
import { nearest } from "./nearest.js";

describe("what a person meant to type", () => {
  const words = ["doctor", "demo", "ls", "call", "verify", "serve"];
  it.each([
    ["docter", "doctor"],
    ["dcotor", "doctor"],
    ["verfy", "verify"],
    ["calll", "call"],
    ["l", "ls"],
  ])("%s was %s", (typed, meant) => expect(nearest(typed, words)).toBe(meant));

  it.each(["status", "xx", ""])("%s was none of them", (typed) =>
    expect(nearest(typed, words)).toBeNull(),
  );
});
