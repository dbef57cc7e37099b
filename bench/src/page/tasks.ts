import type { Browser, Page } from "playwright-core";

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds. */
  readonly dur?: number;
  readonly args?: { readonly name?: string };
}

/** How long the longest task on the page's main thread took, in ms, while something was done. */
export async function longestTask(
  browser: Browser,
  page: Page,
  work: () => Promise<void>,
): Promise<number> {
  await browser.startTracing(page, {
    categories: ["toplevel", "disabled-by-default-devtools.timeline"],
  });
  await work();
  const trace = JSON.parse((await browser.stopTracing()).toString()) as {
    traceEvents: readonly TraceEvent[];
  };
  const threads = new Set(
    trace.traceEvents
      .filter(({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain")
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  const tasks = trace.traceEvents.filter(
    ({ name, pid, tid }) => name.endsWith("RunTask") && threads.has(`${pid} ${tid}`),
  );
  if (tasks.length === 0) throw new Error("The browser's trace has no tasks");
  return Math.max(...tasks.map(({ dur = 0 }) => dur)) / 1_000;
}
