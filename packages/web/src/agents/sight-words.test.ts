import { fileUri } from "@lockstep/protocol";
import type { AgentInfo } from "@lockstep/workbench/contract";
import { describe, expect, it } from "vitest";
import { sightWords } from "./sight-words.js";

const uri = fileUri("/p/a.ts");
const claude: AgentInfo = { id: "1", name: "Claude", since: 0, left: null, outdated: false };
const lines = { kind: "lines", uri, label: "a.ts", first: 2, last: 6 } as const;

describe("what agents see, in words", () => {
  it("names the agent, and counts lines as people do", () => {
    expect(sightWords(lines, [claude])).toBe("Claude sees lines 3–7 of a.ts");
    expect(sightWords({ ...lines, last: 2 }, [claude])).toBe("Claude sees line 3 of a.ts");
    expect(sightWords({ kind: "file", uri, label: "a.ts" }, [claude])).toBe("Claude sees a.ts");
    expect(sightWords({ kind: "nothing" }, [claude])).toBe("Claude sees nothing");
  });

  it("claims no more than is so with several agents, and with none", () => {
    expect(sightWords(lines, [claude, claude])).toBe("2 agents see lines 3–7 of a.ts");
    expect(sightWords(lines, [])).toBe("Agents would see lines 3–7 of a.ts");
    expect(sightWords({ kind: "nothing" }, [])).toBe("Nothing is shared");
  });

  it("says why something is withheld", () => {
    const sight = { kind: "withheld", label: ".env", why: "it may hold secrets" } as const;
    expect(sightWords(sight, [claude])).toBe(".env is withheld: it may hold secrets");
  });
});
