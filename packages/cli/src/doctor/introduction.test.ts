import { describe, expect, it } from "vitest";
import { whyHangsUp } from "./introduction.js";

const GOOD = {
  protocolVersion: "2025-11-25",
  capabilities: { tools: {} },
  serverInfo: { name: "Some", version: "1" },
};

describe("an editor that introduces itself", () => {
  it("is stayed with if it says all that MCP wants", () => {
    expect(whyHangsUp(GOOD)).toBe(null);
    expect(whyHangsUp({ ...GOOD, protocolVersion: "2024-10-07", capabilities: {} })).toBe(null);
  });

  it.for([
    [undefined, "introduce"],
    [{ ...GOOD, protocolVersion: "2099-01-01" }, '"2099-01-01"'],
    [{ ...GOOD, protocolVersion: undefined }, "protocol version"],
    [{ ...GOOD, capabilities: undefined }, "capabilities"],
    [{ ...GOOD, capabilities: [] }, "capabilities"],
    [{ ...GOOD, capabilities: { tools: true } }, "capability tools"],
    [{ ...GOOD, serverInfo: undefined }, "serverInfo"],
    [{ ...GOOD, serverInfo: { name: "Some", version: 1 } }, "serverInfo"],
  ] as const)("is left for %j", ([answer, word]) => {
    expect(whyHangsUp(answer)).toContain(word);
  });
});
