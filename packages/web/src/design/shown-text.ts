import { printable } from "@lockstep/protocol";

/**
 * Text from outside, a line or several, of which no part can turn or hide the rest: what would is
 * shown as a mark. As long as before, so that places in it stay where they are.
 */
export function shownText(text: string): string {
  return text.replace(/[^\t\n]+/g, printable);
}
