import "@xterm/xterm/css/xterm.css";
import { FitAddon } from "@xterm/addon-fit";
import { WebLinksAddon } from "@xterm/addon-web-links";
import { Terminal } from "@xterm/xterm";
import { chordOf, isMac } from "../commands.js";
import { coloursNow } from "./colours.js";
import { feed } from "./feed.js";
import { linkHint, openLink } from "./links.js";
import { pastedText } from "./pasted-text.js";

/** What the workbench takes as a size. */
const MOST = 1_000;
const COPY = isMac ? "Mod+KeyC" : "Mod+Shift+KeyC";
const PASTE = isMac ? "Mod+KeyV" : "Mod+Shift+KeyV";

export interface ScreenOptions {
  readonly id: string;
  readonly label: string;
  /** Enter was pressed; true if that was all, and the program should not get it. */
  readonly onEnter: () => boolean;
}

/** A terminal on the page. Fetched on demand: most of its weight is xterm.js. */
export class Screen {
  readonly #terminal: Terminal;
  readonly #fit = new FitAddon();
  readonly #place: HTMLElement;
  readonly #endings: (() => void)[];

  constructor(place: HTMLElement, { id, label, onEnter }: ScreenOptions) {
    this.#place = place;
    const hover = {
      hover: (_: MouseEvent, address: string) => place.setAttribute("title", linkHint(address)),
      leave: () => place.removeAttribute("title"),
    };
    this.#terminal = new Terminal({
      allowProposedApi: false,
      cursorBlink: true,
      lineHeight: 1.2,
      // Programs choose colours for a ground that they do not know.
      minimumContrastRatio: 4.5,
      scrollback: 10_000,
      macOptionIsMeta: true,
      theme: coloursNow(),
      linkHandler: { activate: openLink, ...hover },
    });
    this.#terminal.loadAddon(this.#fit);
    this.#terminal.loadAddon(new WebLinksAddon(openLink, hover));
    this.#terminal.open(place);
    this.#terminal.attachCustomKeyEventHandler((event) => this.#takesKey(event, onEnter));
    this.label = label;
    const themes = new MutationObserver(() => {
      this.#terminal.options.theme = coloursNow();
    });
    themes.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    const sizes = new ResizeObserver(() => this.fit());
    sizes.observe(place);
    this.fit();
    place.addEventListener("paste", this.#paste, { capture: true });
    this.#endings = [
      () => place.removeEventListener("paste", this.#paste, { capture: true }),
      feed(this.#terminal, id),
      () => themes.disconnect(),
      () => sizes.disconnect(),
      () => this.#terminal.dispose(),
    ];
  }

  /** What a screen reader calls it. */
  set label(label: string) {
    this.#terminal.textarea?.setAttribute("aria-label", label);
  }

  /** Where the focus goes when somebody asks for the terminals. */
  set chosen(chosen: boolean) {
    this.#terminal.textarea?.toggleAttribute("data-region-focus", chosen);
  }

  set screenReader(on: boolean) {
    this.#terminal.options.screenReaderMode = on;
  }

  setFont(family: string, size: number): void {
    this.#terminal.options.fontFamily = family;
    this.#terminal.options.fontSize = size;
    this.fit();
  }

  focus(): void {
    this.#terminal.focus();
  }

  /** As many lines and columns as there is room for; nothing while it is not in sight. */
  fit(): void {
    if (this.#place.clientHeight === 0) return;
    const size = this.#fit.proposeDimensions();
    if (!size || !(size.cols > 0 && size.rows > 0)) return;
    this.#terminal.resize(Math.min(size.cols, MOST), Math.min(size.rows, MOST));
  }

  dispose(): void {
    for (const end of this.#endings) end();
  }

  /** Before xterm.js hears of it, which would take the text as it is. */
  readonly #paste = (event: ClipboardEvent): void => {
    event.preventDefault();
    event.stopPropagation();
    const text = pastedText(event.clipboardData?.getData("text/plain") ?? "");
    if (text !== "") this.#terminal.paste(text);
  };

  /** False leaves a key to the page and the browser. */
  #takesKey(event: KeyboardEvent, onEnter: () => boolean): boolean {
    if (event.type !== "keydown") return true;
    const chord = chordOf(event);
    if (chord === COPY) {
      event.preventDefault();
      const text = this.#terminal.getSelection();
      if (text !== "") void navigator.clipboard.writeText(text);
      return false;
    }
    // The browser pastes, and the paste event tells what.
    if (chord === PASTE) return false;
    if (event.key === "Enter" && onEnter()) {
      event.preventDefault();
      return false;
    }
    return true;
  }
}
