import { describe, expect, it } from "vitest";
import { Trail } from "./trail.js";

const trail = () => new Trail<number>((a, b) => Math.abs(a - b) < 10);

describe("the way back", () => {
  it("leads over far jumps, and not over small steps", () => {
    const way = trail();
    for (const stop of [0, 3, 100, 104, 200]) way.visit(stop);
    expect(way.go(-1)).toBe(104);
    expect(way.go(-1)).toBe(3);
    expect(way.canGo(-1)).toBe(false);
    expect(way.go(-1)).toBeNull();
    expect(way.go(1)).toBe(104);
    expect(way.go(1)).toBe(200);
    expect(way.canGo(1)).toBe(false);
  });

  it("comes back to a place that was left for one nearby", () => {
    const way = trail();
    way.visit(0);
    way.leave(2);
    way.visit(5);
    expect(way.go(-1)).toBe(2);
  });

  it("goes on from where somebody went back to", () => {
    const way = trail();
    for (const stop of [0, 100, 200]) way.visit(stop);
    way.go(-1);
    way.visit(100);
    expect(way.canGo(1)).toBe(true);
    way.visit(500);
    expect(way.canGo(1)).toBe(false);
    expect(way.go(-1)).toBe(100);
  });

  it("forgets the oldest places", () => {
    const way = trail();
    for (let at = 0; at < 200; at++) way.visit(at * 100);
    let steps = 0;
    while (way.go(-1) !== null) steps++;
    expect(steps).toBe(99);
  });
});
