import { chordOf, handleKey, isMac } from "../commands.js";

/** Hears keys before anything else in the page, so that a chord means the same everywhere. */
export function listenToKeys(): () => void {
  const onKey = (event: KeyboardEvent) => {
    // A dialog is a small world of its own.
    if (document.querySelector("dialog[open]")) return;
    if (isForTerminal(event)) return;
    handleKey(event);
  };
  document.addEventListener("keydown", onKey, { capture: true });
  return () => document.removeEventListener("keydown", onKey, { capture: true });
}

/** Programs in a terminal live on Ctrl and Alt with a letter: those are theirs while it has the focus. */
function isForTerminal(event: KeyboardEvent): boolean {
  const inTerminal = event.target instanceof Element && event.target.closest(".xterm") !== null;
  const chord = chordOf(event);
  if (!inTerminal) return false;
  return isMac ? /^(Ctrl|Alt)\+Key/.test(chord) : /^(Mod|Alt)\+(Key|Slash|Digit|Page)/.test(chord);
}
