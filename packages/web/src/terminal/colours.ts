import type { ITheme } from "@xterm/xterm";

/** The design's colours in the places of a terminal's sixteen, as they are in the theme that holds now. */
export function coloursNow(): ITheme {
  const style = getComputedStyle(document.documentElement);
  const token = (name: string) => style.getPropertyValue(`--${name}`).trim();
  const dark = document.documentElement.dataset.theme === "dark";
  const [black, white, brightWhite] = dark
    ? (["line-strong", "ink-2", "ink"] as const)
    : (["ink", "line-strong", "ink-2"] as const);
  return {
    background: token("surface"),
    foreground: token("ink"),
    cursor: token("accent"),
    cursorAccent: token("surface"),
    selectionBackground: token("code-selection"),
    scrollbarSliderBackground: token("press"),
    scrollbarSliderHoverBackground: token("line-strong"),
    scrollbarSliderActiveBackground: token("line-strong"),
    black: token(black),
    red: token("bad"),
    green: token("good"),
    yellow: token("warn"),
    blue: token("info"),
    magenta: token("code-keyword"),
    cyan: token("accent"),
    white: token(white),
    brightBlack: token("ink-3"),
    brightRed: token("bad"),
    brightGreen: token("good"),
    brightYellow: token("code-type"),
    brightBlue: token("code-function"),
    brightMagenta: token("code-keyword"),
    brightCyan: token("accent"),
    brightWhite: token(brightWhite),
  };
}
