/** Far more than anything takes that is measured, on the slowest machine. */
const PATIENCE_MS = 60_000;

/** A promise that fails with a sentence if it takes too long. */
export async function within<Value>(promise: Promise<Value>, otherwise: string): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`${otherwise} in ${PATIENCE_MS / 1000} s`)),
      PATIENCE_MS,
    );
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
