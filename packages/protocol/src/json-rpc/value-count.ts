/** More than any message of the protocol holds; parsing so many takes some tens of milliseconds. */
export const MOST_VALUES = 250_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** The characters after which a value or a key begins, outside of strings. */
const BEFORE_VALUE: ReadonlySet<number> = new Set([0x5b, 0x7b, 0x2c, 0x3a]); // [ { , :

/**
 * Whether a text would become more values than anybody needs. JSON of 100 MB that is one long string
 * parses in a moment; as many brackets take half a minute and gigabytes, and nobody is served
 * meanwhile. Looks only at what could hold that many: costs nothing for a message of common length.
 */
export function hasTooManyValues(text: string): boolean {
  if (text.length <= MOST_VALUES) return false;
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (BEFORE_VALUE.has(code) && ++count > MOST_VALUES) return true;
  }
  return false;
}

/** Where the quote stands that ends the string which begins here. */
function endOfString(text: string, start: number): number {
  let end = start;
  do {
    end = text.indexOf('"', end + 1);
    if (end === -1) return text.length;
  } while (isEscaped(text, end));
  return end;
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (text.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes++;
  return slashes % 2 === 1;
}
