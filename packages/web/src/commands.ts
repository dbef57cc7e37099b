import { createSignal } from "solid-js";

/** Something a person can do, by the palette, by keys, by menus. */
export interface Command {
  /** Such as "file.save". */
  readonly id: string;
  /** As the palette shows it: "Save", with its group: "File: Save". */
  readonly title: string;
  /**
   * By key code, so that layouts and Option on a Mac do not matter: "Mod+KeyS", "Alt+KeyK",
   * "Mod+Shift+KeyP", "F7". Mod is Cmd on a Mac and Ctrl elsewhere.
   */
  readonly keys?: readonly string[];
  /** Keys that a part of the page hears itself, where it has the focus. They are shown, not heard here. */
  readonly ownKeys?: readonly string[];
  /** Where it makes no sense it is neither listed nor run. */
  readonly when?: () => boolean;
  readonly run: () => void | Promise<void>;
}

const [commands, setCommands] = createSignal<readonly Command[]>([]);

export { commands };

/** Adds commands, until disposed. One with a known id replaces it. */
export function addCommands(added: readonly Command[]): () => void {
  const ids = new Set(added.map(({ id }) => id));
  setCommands((all) => [...all.filter(({ id }) => !ids.has(id)), ...added]);
  return () => setCommands((all) => all.filter((command) => !added.includes(command)));
}

export function runCommand(id: string): void {
  const command = commands().find((candidate) => candidate.id === id);
  if (command && (command.when?.() ?? true)) void command.run();
}

export const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

/** The keys by which people do it, wherever they are heard. */
export const keysOf = ({ keys, ownKeys }: Command): readonly string[] => [
  ...(keys ?? []),
  ...(ownKeys ?? []),
];

/** The chord of a key event, in the spelling of {@link Command.keys}. */
export function chordOf(event: KeyboardEvent): string {
  const mod = isMac ? event.metaKey : event.ctrlKey;
  const other = isMac ? event.ctrlKey : event.metaKey;
  const parts = [mod && "Mod", other && "Ctrl", event.altKey && "Alt", event.shiftKey && "Shift"];
  return [...parts.filter(Boolean), event.code].join("+");
}

/** Runs the command of a key event, before the browser or the editor sees it. */
export function handleKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing) return;
  const chord = chordOf(event);
  const command = commands().find(({ keys, when }) => keys?.includes(chord) && (when?.() ?? true));
  if (!command) return;
  event.preventDefault();
  event.stopPropagation();
  void command.run();
}

/** What stands on keys whose codes are words. */
const SIGNS: Readonly<Record<string, string>> = {
  Backquote: "`",
  Backslash: "\\",
  BracketLeft: "[",
  BracketRight: "]",
  Comma: ",",
  Equal: "=",
  Minus: "-",
  Period: ".",
  Quote: "'",
  Semicolon: ";",
  Slash: "/",
};

/** The keys as people write them: "⌘S", "Ctrl+S". */
export function keysLabel(chord: string): string {
  const names: Readonly<Record<string, string>> = isMac
    ? { Mod: "⌘", Ctrl: "⌃", Alt: "⌥", Shift: "⇧", Enter: "↩", Backspace: "⌫" }
    : { Mod: "Ctrl", Ctrl: "Meta" };
  const parts = chord
    .split("+")
    .map((part) => names[part] ?? SIGNS[part] ?? part.replace(/^(Key|Digit|Arrow)/, ""));
  return parts.join(isMac ? "" : "+");
}
