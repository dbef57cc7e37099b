/** This window's name for itself: the same after a reload, another in another tab. */
export const windowName: string = name();

function name(): string {
  const KEY = "lockstep.window";
  // A duplicated tab copies the storage: it is told apart by not having been reloaded.
  const [navigation] = performance.getEntriesByType("navigation");
  const same = navigation instanceof PerformanceNavigationTiming && navigation.type !== "navigate";
  const known = same ? sessionStorage.getItem(KEY) : null;
  const chosen = known ?? crypto.randomUUID();
  sessionStorage.setItem(KEY, chosen);
  return chosen;
}
