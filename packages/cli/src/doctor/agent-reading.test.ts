import { describe, expect, it } from "vitest";
import { agentPort, isAround, readAsAgent } from "./agent-reading.js";

const read = (fields: object) => readAsAgent(JSON.stringify(fields));

describe("a lock file as the agent reads it", () => {
  it("goes through folders that are a text letter by letter, so that a slash is every folder", () => {
    expect(isAround(read({ workspaceFolders: "/opt" }), "/home/ada")).toBe(true);
    expect(isAround(read({ workspaceFolders: "opt" }), "/home/ada")).toBe(false);
  });

  it("resolves folders from its own, in one spelling of accents", () => {
    expect(isAround(read({ workspaceFolders: [null, "", "../ada/"] }), "/home/ada")).toBe(true);
    expect(isAround(read({ workspaceFolders: ["/caf\u00e9"] }), "/cafe\u0301/src")).toBe(true);
    expect(isAround(read({ workspaceFolders: [""] }), "/")).toBe(false);
  });

  it("trips over what is no folder, if no folder before it matches", () => {
    const { folders, trips } = read({ workspaceFolders: ["/a", 7, "/b"] });
    expect([folders, trips]).toEqual([["/a"], { over: "folders", value: "7" }]);
    expect(read({ workspaceFolders: true }).trips).toEqual({ over: "folders", value: "true" });
    expect(read({ ideName: {} }).trips).toEqual({ over: "name", value: "{}" });
    expect(read({ workspaceFolders: 0, ideName: "" }).trips).toBe(null);
  });

  it("takes for a process whatever makes a number", () => {
    expect([true, "12", [12]].map((pid) => read({ pid }).pid)).toEqual([1, 12, 12]);
    expect([0, "", null, undefined].map((pid) => read({ pid }).pid)).toEqual(Array(4).fill(null));
    expect(["code", {}].map((pid) => read({ pid }).pid)).toEqual([Number.NaN, Number.NaN]);
  });

  it("sends as token whatever makes a text", () => {
    expect([5, true, ["a", "b"]].map((authToken) => read({ authToken }).token())).toEqual([
      "5",
      "true",
      "a,b",
    ]);
    expect(JSON.stringify(read({ authToken: "secret" }))).not.toContain("secret");
    expect([0, null, ""].map((authToken) => read({ authToken }).token())).toEqual(["", "", ""]);
  });

  it("takes each line of what is no JSON for a folder", () => {
    const { folders, overWebSocket } = readAsAgent("once\r\n /home/ada \n\n");
    expect([folders, overWebSocket]).toEqual([["once", "/home/ada"], false]);
    expect(readAsAgent("null").folders).toEqual(["null"]);
    expect(readAsAgent("[]").folders).toEqual([]);
  });

  it("takes the port from any name that ends in .lock", () => {
    const names = ["43481.lock", "0043481.lock", " 43481.old.lock", "43481x.lock"];
    expect(names.map(agentPort)).toEqual(Array(4).fill(43481));
    expect(["editor.lock", ".lock"].map(agentPort)).toEqual([Number.NaN, Number.NaN]);
    expect(["43481.LOCK", "43481.lock~", "43481"].map(agentPort)).toEqual([null, null, null]);
  });
});
