import { isMac } from "../commands.js";
import * as web from "./web-address.js";

/** Opens what a program printed as a link: web addresses only, in a tab that knows nothing of this one. */
export function openLink(event: MouseEvent, address: string): void {
  const leadsTo = web.webAddress(address);
  if (!(isMac ? event.metaKey : event.ctrlKey) || leadsTo === null) return;
  window.open(leadsTo, "_blank", "noopener,noreferrer");
}

export const linkHint = (address: string): string =>
  web.linkHint(address, `${isMac ? "⌘" : "Ctrl+"}click`);
