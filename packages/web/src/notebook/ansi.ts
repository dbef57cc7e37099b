/** A piece of printed text that looks the same from its first character to its last. */
export interface Piece {
  readonly text: string;
  /** One of a terminal's sixteen by its number; null for the text's own. */
  readonly colour: number | null;
  readonly ground: number | null;
  readonly bold: boolean;
  readonly faint: boolean;
  readonly italic: boolean;
  readonly underlined: boolean;
}

type Look = Omit<Piece, "text">;

const PLAIN: Look = {
  colour: null,
  ground: null,
  bold: false,
  faint: false,
  italic: false,
  underlined: false,
};

const ESCAPE = "\u001b";
const BELL = "\u0007";
/** What follows an escape: numbers that change the look, or something else that ends with a letter. */
const CODE = /^(?:\[([0-9;:]*)m|\[[0-9;?:]*[ -/]*[@-~]|[^\]])/;

/**
 * What a program has printed, as pieces with the looks that its escape codes ask for. Codes that do
 * anything but colours mean nothing here and are left out.
 */
export function readAnsi(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let look = PLAIN;
  const [first = "", ...rest] = text.split(ESCAPE);
  if (first !== "") pieces.push({ text: first, ...look });
  for (const part of rest) {
    const [code = "", numbers] = CODE.exec(part) ?? [title(part), undefined];
    if (numbers !== undefined) look = changed(look, numbers.split(/[;:]/).map(Number));
    const shown = part.slice(code.length);
    if (shown !== "") pieces.push({ text: shown, ...look });
  }
  return pieces;
}

/** A title or a link: up to a bell, or to the next escape. */
function title(part: string): string {
  const end = part.indexOf(BELL);
  return end < 0 ? part : part.slice(0, end + 1);
}

function changed(before: Look, numbers: readonly number[]): Look {
  let look = before;
  for (let at = 0; at < numbers.length; at++) {
    const number = numbers[at] ?? 0;
    if (number === 38 || number === 48) {
      const { colour, used } = anyColour(numbers.slice(at + 1));
      look = number === 38 ? { ...look, colour } : { ...look, ground: colour };
      at += used;
    } else look = simple(look, number);
  }
  return look;
}

function simple(look: Look, number: number): Look {
  if (number === 0) return PLAIN;
  if (number === 1) return { ...look, bold: true };
  if (number === 2) return { ...look, faint: true };
  if (number === 3) return { ...look, italic: true };
  if (number === 4) return { ...look, underlined: true };
  if (number === 22) return { ...look, bold: false, faint: false };
  if (number === 23) return { ...look, italic: false };
  if (number === 24) return { ...look, underlined: false };
  if (number >= 30 && number <= 37) return { ...look, colour: number - 30 };
  if (number === 39) return { ...look, colour: null };
  if (number >= 40 && number <= 47) return { ...look, ground: number - 40 };
  if (number === 49) return { ...look, ground: null };
  if (number >= 90 && number <= 97) return { ...look, colour: number - 82 };
  if (number >= 100 && number <= 107) return { ...look, ground: number - 92 };
  return look;
}

/** After 38 or 48: "5;n" is one of 256, "2;r;g;b" is any. */
function anyColour([kind, ...rest]: readonly number[]): {
  readonly colour: number | null;
  readonly used: number;
} {
  if (kind === 5) return { colour: ofPalette(rest[0] ?? 0), used: 2 };
  if (kind !== 2) return { colour: null, used: 1 };
  const [red = 0, green = 0, blue = 0] = rest.map(byte);
  return { colour: nearest(red, green, blue), used: 4 };
}

function ofPalette(number: number): number | null {
  if (number < 16) return byte(number);
  if (number > 231) return nearest(number, number, number);
  const step = (level: number) => (level === 0 ? 0 : 55 + level * 40);
  const at = number - 16;
  return nearest(step(Math.floor(at / 36)), step(Math.floor(at / 6) % 6), step(at % 6));
}

/**
 * The one of the first eight that is most like it. Those are the theme's own, and can be read in light and
 * in dark; what a program chose for a black screen could not.
 */
function nearest(red: number, green: number, blue: number): number | null {
  const most = Math.max(red, green, blue);
  const least = Math.min(red, green, blue);
  // Black, grey and white.
  if (most - least < 48) return null;
  const isHigh = (value: number) => (value - least) / (most - least) > 0.6;
  return (isHigh(red) ? 1 : 0) + (isHigh(green) ? 2 : 0) + (isHigh(blue) ? 4 : 0);
}

const byte = (value: number): number => Math.max(0, Math.min(255, Math.floor(value) || 0));

/**
 * A text as a screen shows it: a carriage return goes back to the start of the line, a backspace one
 * back. Files that other programs have written still have them.
 */
export function onScreen(text: string): string {
  if (!/[\r\b]/.test(text)) return text;
  return text.replaceAll("\r\n", "\n").split("\n").map(settled).join("\n");
}

function settled(line: string): string {
  if (!/[\r\b]/.test(line)) return line;
  let shown = "";
  let column = 0;
  for (const [piece] of line.matchAll(/[\r\b]|[^\r\b]+/g)) {
    if (piece === "\r") column = 0;
    else if (piece === "\b") column = Math.max(0, column - 1);
    else {
      shown = shown.slice(0, column) + piece + shown.slice(column + piece.length);
      column += piece.length;
    }
  }
  return shown;
}
