import { Text } from "@codemirror/state";
import { fileUri } from "@lockstep/protocol";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Diagnosing } from "./diagnosing.js";

const uri = fileUri("/project/a.lua");

/** A server whose answers take their time, and the times at which it was asked. */
function asked({ answerMs }: { readonly answerMs: number }) {
  const times: number[] = [];
  const text = { uri, languageId: "lua", text: Text.empty, version: 1, stamp: null };
  const diagnosing = new Diagnosing({
    server: {
      offer: (method) =>
        method === "textDocument/diagnostic" ? { interFileDependencies: true } : null,
      isAtWork: false,
      request: async () => {
        times.push(performance.now());
        await new Promise((resolve) => setTimeout(resolve, answerMs));
        return { kind: "full", items: [] };
      },
    },
    texts: () => [text],
    found: () => {},
  });
  /** Something changes so often for so long. */
  const change = async (everyMs: number, forMs: number) => {
    for (let passed = 0; passed < forMs; passed += everyMs) {
      text.version++;
      diagnosing.touch();
      await vi.advanceTimersByTimeAsync(everyMs);
    }
  };
  return { times, change };
}

describe("a server is asked what is wrong", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("in a pause, and not while somebody types", async () => {
    const { times, change } = asked({ answerMs: 50 });
    await change(100, 1_000);
    expect(times).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(200);
    expect(times).toHaveLength(1);
  });

  it("also where no pause comes, as while a build writes files without end", async () => {
    const { times, change } = asked({ answerMs: 50 });
    await change(100, 120_000);
    expect(times).toHaveLength(4);
  });

  it("in a longer pause where its answers take long, so that the time is left to who types", async () => {
    const { times, change } = asked({ answerMs: 1_000 });
    await change(150, 150);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(times).toHaveLength(1);
    await change(900, 7_200);
    expect(times).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(times).toHaveLength(2);
  });

  it("once for a change, and again for what changed while it answered", async () => {
    const { times, change } = asked({ answerMs: 1_000 });
    await change(150, 150);
    await change(150, 150);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(times).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(times).toHaveLength(2);
  });
});
