import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { paints } from "../paint.js";
import { Screen } from "./screen.js";

/** What is written for an event with a long text. */
function written(live: boolean): string {
  const out = Object.assign(new PassThrough({ encoding: "utf8" }), { columns: 40 });
  const screen = new Screen(out, paints({ isTTY: false }), "Lockstep", live);
  const time = new Date(2026, 10, 15, 15, 11, 43);
  screen.add(time, { label: "tools", text: "14: openDiff getDiagnostics close_tab" });
  return out.read();
}

describe("what an editor tells", () => {
  it("takes one line of a terminal for each event", () => {
    const [event = "", below = ""] = written(true).split("\n");
    expect(event).toMatch(/15:11:43 {2}tools {7}14: openDiff get…$/);
    expect(event.replace("\r\u001b[2K", "")).toHaveLength(39);
    expect(below).toBe("● Lockstep  no file");
  });

  it("is whole where it is no terminal", () => {
    expect(written(false)).toBe("15:11:43  tools       14: openDiff getDiagnostics close_tab\n");
  });
});
