import { printable } from "@lockstep/protocol";

type Child = Node | string;

/** An element of the page. Texts become text and nothing else. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** Text from a recording, of which no part can turn or hide the rest. */
export function shownText(text: string): string {
  return text.replace(/[^\t\n]+/g, printable);
}
