import { describe, expect, it } from "vitest";
import { agentAddresses } from "./agent-address.js";

const shown = (port: number, override?: string) =>
  agentAddresses(port, override).map(({ host, here }) => [host, here]);

describe("where the agent looks for a port", () => {
  it("is 127.0.0.1, unless a host is named", () => {
    expect(shown(1)).toEqual([["127.0.0.1", true]]);
    expect(shown(1, "")).toEqual([["127.0.0.1", true]]);
    expect(shown(1, " 127.0.0.2")).toEqual([["127.0.0.2", true]]);
    expect(shown(1, "build.example")).toEqual([["build.example", false]]);
  });

  it("is either address of localhost", () => {
    expect(shown(1, "localhost")).toEqual([
      ["127.0.0.1", true],
      ["::1", true],
    ]);
  });

  it("is nowhere for what makes no address", () => {
    expect(shown(1, "[::1]")).toEqual([["::1", true]]);
    expect(shown(1, "::1")).toEqual([]);
    expect([Number.NaN, 99_999, -5].flatMap((port) => shown(port))).toEqual([]);
  });
});
