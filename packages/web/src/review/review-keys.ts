import { chordOf, keysLabel } from "../commands.js";
import type { ReviewSession } from "./review-session.js";

/** The keys of a review, by what they do. They work only while the focus is inside of it. */
export const KEYS = {
  next: ["F7", "Alt+ArrowDown"],
  previous: ["Shift+F7", "Alt+ArrowUp"],
  keep: ["Alt+KeyY", "F8"],
  drop: ["Alt+KeyN", "Shift+F8"],
  undo: ["Mod+KeyZ"],
  redo: ["Mod+Shift+KeyZ", "Mod+KeyY"],
  accept: ["Mod+Enter"],
  reject: ["Mod+Backspace", "Mod+Shift+Backspace"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type Act = keyof typeof KEYS;

/** The first of an act's keys, as people write it. */
export const keysFor = (act: Act): string => keysLabel(KEYS[act][0]);

/** What can be done, of these. */
export type Acts = Readonly<Partial<Record<Act, () => unknown>>>;

export const actsOf = (session: ReviewSession): Acts => ({
  next: session.next,
  previous: session.previous,
  keep: () => session.decideCurrent("kept"),
  drop: () => session.decideCurrent("dropped"),
  undo: session.undo,
  redo: session.redo,
  accept: session.accept,
  reject: () => session.setRejecting(true),
});

/** Takes the review's own keys before the text does. A field for words keeps all but Escape. */
export function handleReviewKey(event: KeyboardEvent, acts: Acts): void {
  if (event.defaultPrevented || event.isComposing) return;
  const target = event.target as Element;
  if (target.closest(".review-reject")) return;
  const chord = chordOf(event);
  // While typing this deletes a word; with Shift it rejects from there too.
  const typing = target.closest('[contenteditable="true"]') !== null;
  if (typing && chord === "Mod+Backspace") return;
  const found = Object.entries(KEYS).find(([, keys]) =>
    (keys as readonly string[]).includes(chord),
  );
  const act = found && acts[found[0] as Act];
  if (!act) return;
  event.preventDefault();
  event.stopPropagation();
  if (!event.repeat || found[0] === "next" || found[0] === "previous") act();
}
