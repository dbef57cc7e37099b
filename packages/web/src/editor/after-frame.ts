/**
 * Runs once after the next frame, however often it was asked for until then: for what may follow a
 * typed character but must not hold it up.
 */
export function afterFrame(run: () => void): () => void {
  let isAsked = false;
  const due = () => {
    isAsked = false;
    run();
  };
  return () => {
    if (isAsked) return;
    isAsked = true;
    // Nothing is drawn of a window that nobody sees.
    if (document.hidden) setTimeout(due);
    else requestAnimationFrame(() => setTimeout(due));
  };
}
