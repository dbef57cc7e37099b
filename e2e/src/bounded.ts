/** A wait has lasted longer than its bound. */
export class BoundPassed extends Error {}

/**
 * The promise, or a failure that says what was waited for once the bound has passed. The bound is
 * no measure of anything: it only turns a wait that would never end into a message.
 */
export async function within<T>(ms: number, promise: Promise<T>, what: () => string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const bound = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new BoundPassed(`waited in vain for ${what()}`)), ms);
  });
  try {
    return await Promise.race([promise, bound]);
  } finally {
    clearTimeout(timer);
  }
}
