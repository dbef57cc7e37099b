/**
 * Text from outside, safe to print: control characters and the marks that turn the direction of
 * writing could redraw a terminal or disguise a name.
 */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, "\ufffd");
}
