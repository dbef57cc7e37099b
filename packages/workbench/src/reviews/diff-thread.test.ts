import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { diffRanges } from "@lockstep/review";
import { build } from "esbuild";
import { describe, expect, it, onTestFinished } from "vitest";
import { diffInThread } from "./diff-thread.js";

const before = Array.from({ length: 5_000 }, (_, at) => `line ${at % 700}`);
const after = before.flatMap((line, at) => (at % 50 === 7 ? [`${line}!`, "more"] : [line]));
const never = new AbortController().signal;

describe("a comparison in a thread of its own", () => {
  it("finds what it would find here, and says how far it is", async () => {
    const progress: number[] = [];
    const tell = (fraction: number) => void progress.push(fraction);
    const ranges = await diffInThread(before.join("\n"), after.join("\n"), tell, never);
    expect(ranges).toEqual(diffRanges(before, after));
    expect(progress.at(-1)).toBe(1);
  });

  it("ends when nobody wants it any more", async () => {
    const ending = new AbortController();
    const comparing = diffInThread(before.join("\n"), after.join("\n"), () => {}, ending.signal);
    ending.abort(new Error("enough"));
    await expect(comparing).rejects.toThrow("enough");
    await expect(diffInThread("", "", () => {}, ending.signal)).rejects.toThrow("enough");
  });

  it("says nothing more when nobody wants it any more", async () => {
    const ending = new AbortController();
    const [old, now] = [Array(20).fill(before).flat(), Array(20).fill(after).flat()];
    let told = 0;
    const tell = () => {
      told++;
      ending.abort(new Error("enough"));
      // While nothing is heard here the thread gets ahead, and what it says is on its way.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
    };
    const comparing = diffInThread(old.join("\n"), now.join("\n"), tell, ending.signal);
    await expect(comparing).rejects.toThrow("enough");
    await diffInThread("a", "b", () => {}, never);
    expect(told).toBe(1);
  });

  it("waits its turn when there are many, and leaves it to the next if nobody wants it", async () => {
    const [old, now] = [before, after].map((lines) => Array(10).fill(lines).flat().join("\n"));
    const ending = new AbortController();
    const open = new Set<number>();
    const sizes: number[] = [];
    const comparing = Array.from({ length: 12 }, (_, at) => {
      const tell = () => void sizes.push(open.add(at).size);
      const signal = at % 3 === 2 ? ending.signal : never;
      return diffInThread(old!, now!, tell, signal).finally(() => open.delete(at));
    });
    ending.abort(new Error("enough"));
    const ends = (await Promise.allSettled(comparing)).map(({ status }) => status);
    expect(ends).toEqual(ends.map((_, at) => (at % 3 === 2 ? "rejected" : "fulfilled")));
    expect(Math.max(...sizes)).toBeLessThanOrEqual(2);
  });

  it.each([{ minify: false }, { minify: true }, { keepNames: true }])(
    "works from a bundle as well (%o)",
    async (options) => {
      const folder = await mkdtemp(join(tmpdir(), "lockstep-bundle-"));
      onTestFinished(() => rm(folder, { recursive: true }));
      const outfile = join(folder, "bundle.mjs");
      await build({
        entryPoints: [fileURLToPath(new URL("./diff-thread.ts", import.meta.url))],
        ...{ outfile, bundle: true, platform: "node", format: "esm", target: "node20.10" },
        conditions: ["@lockstep/source"],
        logLevel: "silent",
        ...options,
      });
      const bundle = (await import(/* @vite-ignore */ pathToFileURL(outfile).href)) as {
        diffInThread: typeof diffInThread;
      };
      const ranges = await bundle.diffInThread("a\nb\nc", "a\nB\nc", () => {}, never);
      expect([...ranges]).toEqual([1, 2, 1, 2]);
    },
  );
});
