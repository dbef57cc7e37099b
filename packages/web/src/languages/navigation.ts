import type { Uri } from "@lockstep/protocol";
import { createEffect, createRoot, on } from "solid-js";
import { showProblem } from "../design/index.js";
import { shownPlace } from "../editor/shown.js";
import { openFile, type Place } from "../replica/view.js";
import { Trail } from "./trail.js";

interface Stop extends Place {
  readonly uri: Uri;
}

/** Lines that count as the same place. */
const NEAR = 10;

const trail = new Trail<Stop>((a, b) => a.uri === b.uri && Math.abs(a.line - b.line) < NEAR);

const here = (): Stop | null => {
  const place = shownPlace();
  return place && { uri: place.uri, line: place.line - 1, character: place.column - 1 };
};

function arrive(): void {
  const now = here();
  if (now) trail.visit(now);
}

/** A place that shows for a shorter time is only passed through, as when a tab takes another's place. */
const STAY_MS = 150;

/** Follows where the person is, so that far jumps of any kind can be taken back. */
createRoot(() => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  createEffect(
    on(shownPlace, () => {
      clearTimeout(timer);
      timer = setTimeout(arrive, STAY_MS);
    }),
  );
});

/** Makes the place that is left one to come back to, however near the next one is. */
export function leave(): void {
  const now = here();
  if (now) trail.leave(now);
}

export const canGo = (step: 1 | -1): boolean => trail.canGo(step);

export async function go(step: 1 | -1): Promise<void> {
  arrive();
  const stop = trail.go(step);
  if (!stop) return;
  const { uri, line, character } = stop;
  const place = { line, character };
  await openFile(uri, { range: { start: place, end: place } }).catch(showProblem);
}
