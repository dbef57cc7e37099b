import { Worker } from "node:worker_threads";
import { diffRanges } from "@lockstep/review";

/** Each thread takes a core and memory of its own, and an agent can propose hundreds of texts at once. */
const MOST_AT_ONCE = 2;

let running = 0;
const waiting = new Set<() => void>();

/**
 * Compares the lines of two texts in a thread of its own, so that nothing else waits for it; a few at
 * a time, the others in turn. Fails when the signal fires, and tells no progress from then on. The
 * thread gets the function as source, so it needs no file to start from: that works alike from the
 * sources and from a bundle.
 */
export async function diffInThread(
  before: string,
  after: string,
  progress: (fraction: number) => void,
  signal: AbortSignal,
): Promise<Int32Array> {
  signal.throwIfAborted();
  if (running >= MOST_AT_ONCE) await turn(signal);
  else running++;
  try {
    signal.throwIfAborted();
    return await compare(before, after, progress, signal);
  } finally {
    const [next] = waiting;
    // Whoever is next takes this one's place.
    if (next) next();
    else running--;
  }
}

function turn(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const begin = () => {
      waiting.delete(begin);
      signal.removeEventListener("abort", leave);
      resolve();
    };
    const leave = () => {
      waiting.delete(begin);
      reject(signal.reason);
    };
    waiting.add(begin);
    signal.addEventListener("abort", leave, { once: true });
  });
}

function compare(
  before: string,
  after: string,
  progress: (fraction: number) => void,
  signal: AbortSignal,
): Promise<Int32Array> {
  const worker = new Worker(CODE, {
    eval: true,
    execArgv: [],
    env: {},
    workerData: { before, after },
  });
  return new Promise<Int32Array>((resolve, reject) => {
    worker.on("message", (message: number | Int32Array) => {
      // What the thread has said before it ended still arrives.
      if (signal.aborted) return;
      if (typeof message === "number") progress(message);
      else resolve(message);
    });
    worker.on("error", reject);
    worker.on("exit", () => reject(new Error("The comparing thread ended early")));
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  }).finally(() => worker.terminate());
}

const CODE = `
const { parentPort, workerData } = require("node:worker_threads");
const __name = (named) => named; // Some compilers put calls of this into what they compile.
const diffRanges = ${diffRanges};
const before = workerData.before.split("\\n");
const after = workerData.after.split("\\n");
const ranges = diffRanges(before, after, (fraction) => parentPort.postMessage(fraction));
parentPort.postMessage(ranges, [ranges.buffer]);
`;
