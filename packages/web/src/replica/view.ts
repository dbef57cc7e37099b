import type { Uri } from "@lockstep/protocol";
import type { View } from "@lockstep/workbench/contract";
import { createSignal } from "solid-js";
import { call, on, tell } from "./link.js";

export interface Place {
  readonly line: number;
  readonly character: number;
}
/** Something to select and bring into sight, once the document is there. */
export interface Reveal {
  readonly uri: Uri;
  readonly range: { readonly start: Place; readonly end: Place };
}

const [view, setViewSignal] = createSignal<View>({ kind: "nothing" }, { equals: isSame });
const [reveal, setReveal] = createSignal<Reveal | null>(null);

/** What is in the middle of this window. */
export { view };

/** The place that somebody asked to see; whoever shows it takes it. */
export const takeReveal = (uri: Uri): Reveal | null => {
  const wanted = reveal();
  if (wanted?.uri !== uri) return null;
  setReveal(null);
  return wanted;
};
export const pendingReveal = reveal;
export const askReveal = (wanted: Reveal): void => void setReveal(wanted);

export function setView(next: View): void {
  setViewSignal(next);
  tellShown();
}

/** Opens a file's tab and shows it. Fails with a sentence, and then shows what it showed before. */
export async function openFile(
  uri: Uri,
  { preview = true, range }: { preview?: boolean; range?: Reveal["range"] } = {},
): Promise<void> {
  await call("tab.open", { uri, preview });
  if (range) setReveal({ uri, range });
  setView({ kind: "document", uri });
}

on("window.reveal", ({ uri, range, focus }) => {
  if (range) setReveal({ uri, range });
  if (focus) setView({ kind: "document", uri });
});

// Whoever sees a document goes on seeing it under its new name, once the others who hear of it know it.
on("document.renamed", ({ from, to }) =>
  queueMicrotask(() => {
    const now = view();
    if (now.kind === "document" && now.uri === from) setView({ kind: "document", uri: to });
  }),
);

/** The workbench knows which window the person is in by this. */
function tellShown(): void {
  tell("window.show", { view: view(), focused: document.hasFocus() });
}
window.addEventListener("focus", tellShown);

function isSame(a: View, b: View): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
