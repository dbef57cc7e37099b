import { isMac } from "../commands.js";

/** Opens what a program printed as a link: web addresses only, in a tab that knows nothing of this one. */
export function openLink(event: MouseEvent, address: string): void {
  if (!(isMac ? event.metaKey : event.ctrlKey) || !isWebAddress(address)) return;
  window.open(address, "_blank", "noopener,noreferrer");
}

export function isWebAddress(address: string): boolean {
  return URL.canParse(address) && /^https?:$/.test(new URL(address).protocol);
}

/** Where it really leads: the text of a link may say something else. */
export const linkHint = (address: string): string =>
  `${address}\n${isMac ? "⌘" : "Ctrl+"}click to open`;
