/** Told of what a listener threw. It must not throw itself. */
export type OnFault = (fault: unknown) => void;

/** Runs somebody else's code: what it throws, now or as a promise, ends there and is reported. */
export function isolate(run: () => unknown, onFault: OnFault): void {
  try {
    const result = run();
    if (result instanceof Promise) result.catch(onFault);
  } catch (fault) {
    onFault(fault);
  }
}
