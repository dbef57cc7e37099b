import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { AGENT_CHECKS, IDE_CHECKS } from "../src/index.js";

const text = readFileSync(new URL("../../../docs/protocol.md", import.meta.url), "utf8");

/** Every clause of the document, by its heading. */
const clauses = text
  .split(/^### /m)
  .slice(1)
  .map((section) => ({
    clause: /^(C\d+)\. /.exec(section)?.[1],
    title: /^C\d+\. (.*)$/m.exec(section)?.[1],
    seen: /^- Seen: \S/m.test(section),
    checked: /^- Checked: (.*)$/m.exec(section)?.[1] ?? "",
  }));

const claimed = (who: string) =>
  clauses
    .filter(({ checked }) => checked.includes(who))
    .map(({ clause, title }) => ({ clause, title }));

const has = (checks: readonly { clause: string; title: string }[]) =>
  checks
    .map(({ clause, title }) => ({ clause, title }))
    .sort((a, b) => Number(a.clause.slice(1)) - Number(b.clause.slice(1)));

describe("docs/protocol.md", () => {
  it("numbers its clauses without a gap", () => {
    expect(clauses.map(({ clause }) => clause)).toEqual(
      clauses.map((_clause, index) => `C${index + 1}`),
    );
  });

  it("gives evidence for each, and says whether it is checked, or why not", () => {
    for (const { clause, seen, checked } of clauses) {
      expect(seen, `${clause} has no evidence`).toBe(true);
      expect(checked, clause).toMatch(/^(of an (editor|agent)\b|no, )/);
    }
  });

  it("has a check for each clause that claims to be checked, and no other", () => {
    expect(has(IDE_CHECKS)).toEqual(claimed("of an editor"));
    expect(has(AGENT_CHECKS)).toEqual(claimed("of an agent"));
  });
});
