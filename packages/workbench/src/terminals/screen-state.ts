import { printable } from "@lockstep/protocol";

const ESCAPE = "\u001b";
/** Longer than any title that makes sense; an unfinished sequence of this length is none. */
const LONGEST = 4_096;
const TITLE_SHOWN = 120;

/** `OSC 0 ; title BEL` or `OSC 2 ; …`, and DEC private modes `CSI ? 2004 ; 1049 h`. */
const SEQUENCE = new RegExp(
  `${ESCAPE}\\][02];([^\\u0007${ESCAPE}]*)(?:\\u0007|${ESCAPE}\\\\)|${ESCAPE}\\[\\?([\\d;]+)([hl])`,
  "g",
);

/** The modes that a program sets once and relies on, so that a window that attaches later needs them. */
const LASTING = new Set([1, 25, 1000, 1002, 1003, 1004, 1006, 1007, 1049, 2004]);
const CURSOR_SHOWN = 25;
const ALTERNATE_SCREEN = 1049;
const BRACKETED_PASTE = 2004;

/** What a program has told its terminal, read from what it prints: the title and the lasting modes. */
export class ScreenState {
  #unread = "";
  readonly #modes = new Set<number>([CURSOR_SHOWN]);
  #title: string | null = null;

  /** Safe to show; null while the program has not set one. */
  get title(): string | null {
    return this.#title;
  }

  /** The program can tell pasted text from typed text. */
  get bracketedPaste(): boolean {
    return this.#modes.has(BRACKETED_PASTE);
  }

  read(printed: string): void {
    const text = this.#unread + printed;
    this.#unread = "";
    const last = text.lastIndexOf(ESCAPE);
    if (last < 0) return;
    let end = 0;
    for (const match of text.matchAll(SEQUENCE)) {
      end = match.index + match[0].length;
      const [, title, modes, set] = match;
      if (title !== undefined) this.#title = shown(title);
      else this.#setModes(modes ?? "", set === "h");
    }
    // The end of a title is an escape sequence too, so the start of an unfinished one is looked for.
    const open = Math.max(end, text.lastIndexOf(`${ESCAPE}]`));
    const from = open > end ? open : Math.max(end, last);
    if (text.length - from < LONGEST) this.#unread = text.slice(from);
  }

  /** To be printed before a replay whose start is missing. */
  get before(): string {
    return this.#modes.has(ALTERNATE_SCREEN) ? `${ESCAPE}[?${ALTERNATE_SCREEN}h` : "";
  }

  /** To be printed after it. */
  get after(): string {
    const lasting = [...LASTING].filter((mode) => mode !== ALTERNATE_SCREEN);
    return lasting.map((mode) => `${ESCAPE}[?${mode}${this.#modes.has(mode) ? "h" : "l"}`).join("");
  }

  #setModes(list: string, on: boolean): void {
    for (const mode of list.split(";").map(Number)) {
      if (!LASTING.has(mode)) continue;
      if (on) this.#modes.add(mode);
      else this.#modes.delete(mode);
    }
  }
}

function shown(title: string): string | null {
  const text = printable(title).trim();
  if (text === "") return null;
  return text.length > TITLE_SHOWN ? `${text.slice(0, TITLE_SHOWN)}…` : text;
}
