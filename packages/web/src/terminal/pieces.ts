/** Small enough to stay on the socket: a longer message goes by HTTP, and keys would overtake it. */
const PIECE = 32 * 1024;

/** A long paste in pieces, none of which ends in the middle of a character. */
export function pieces(text: string): readonly string[] {
  const found: string[] = [];
  for (let from = 0; from < text.length; ) {
    const to = from + PIECE;
    const end = isHighSurrogate(text.charCodeAt(to - 1)) ? to - 1 : to;
    found.push(text.slice(from, end));
    from = end;
  }
  return found;
}

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code < 0xdc00;
