import { printable } from "@lockstep/protocol";

/** Where a link leads if it leads to the web, as the browser spells it; null if it leads elsewhere. */
export function webAddress(address: string): string | null {
  const { protocol, href } = URL.canParse(address) ? new URL(address) : { protocol: "", href: "" };
  return protocol === "http:" || protocol === "https:" ? href : null;
}

/**
 * What the person is told of a link before they follow it: its text may say something else, and
 * letters of other scripts may look like those of a known name.
 */
export function linkHint(address: string, how: string): string {
  const leadsTo = webAddress(address);
  if (leadsTo === null) return `${printable(address)}\nNot a web address: it is not opened`;
  return `${leadsTo}\n${how} to open`;
}
