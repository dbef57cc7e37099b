import { describe, expect, it } from "vitest";
import { Redaction } from "./redaction.js";

const TOKEN = "0b0f1a52-3c1e-4a53-9d2e-6f1f7c1f2a11";

describe("what is written down", () => {
  it("holds no token that was announced, whatever way it is spelled", () => {
    const redaction = new Redaction();
    const strange = 'to/ken "with" \\ signs';
    redaction.hide(TOKEN);
    redaction.hide(strange);
    for (const text of [TOKEN, strange, JSON.stringify({ a: [strange] })])
      expect(redaction.apply(`x ${text} y`)).toMatch(/^x .*\[token\].* y$/);
    expect(redaction.apply(JSON.stringify({ text: JSON.stringify(strange) }))).not.toContain(
      "with",
    );
  });

  it("holds no token of a lock file that somebody looks at, though nobody had heard of it", () => {
    const lock = JSON.stringify({ pid: 7, authToken: TOKEN, transport: "ws" });
    for (const text of [
      lock,
      JSON.stringify(JSON.parse(lock), null, 2),
      JSON.stringify({ lock }),
    ]) {
      const shown = new Redaction().apply(text);
      expect(shown).not.toContain(TOKEN);
      expect(shown).toContain("[token]");
      expect(shown).toContain("transport");
    }
    expect(new Redaction().apply("the field authToken is a text")).toContain("authToken is a text");
  });
});
