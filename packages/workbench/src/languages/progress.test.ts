import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ProgressOf } from "./progress.js";

describe("a server is at work", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const begin = (token: number) => ({ token, value: { kind: "begin", title: `Task ${token}` } });
  const end = (token: number) => ({ token, value: { kind: "end" } });

  it("until the last of its tasks has ended, which is told once", () => {
    const idle = vi.fn();
    const progress = new ProgressOf(() => {}, idle);
    expect(progress.isAtWork).toBe(false);
    progress.hear(begin(1));
    progress.hearStatus({ quiescent: false });
    progress.hear(end(1));
    expect(progress.isAtWork).toBe(true);
    expect(idle).not.toHaveBeenCalled();
    progress.hearStatus({ quiescent: true });
    progress.hear(end(1));
    expect(progress.isAtWork).toBe(false);
    expect(idle).toHaveBeenCalledOnce();
  });

  it("no longer for a task that it seems to have forgotten", () => {
    const progress = new ProgressOf(
      () => {},
      () => {},
    );
    progress.hear(begin(1));
    vi.advanceTimersByTime(50_000);
    progress.hear({ token: 1, value: { kind: "report", message: "still at it" } });
    vi.advanceTimersByTime(50_000);
    expect(progress.isAtWork).toBe(true);
    vi.advanceTimersByTime(50_000);
    expect(progress.isAtWork).toBe(false);
  });
});
