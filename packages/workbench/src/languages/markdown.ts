import type { Markup } from "./lsp.js";

/** Characters. A whole file as a comment helps nobody. */
const LONGEST = 50_000;

/** What a server writes for people, in whichever of its forms, as Markdown. */
export function markdown(contents: Markup | readonly Markup[] | null | undefined): string {
  if (contents == null) return "";
  const parts = Array.isArray(contents) ? contents : [contents as Markup];
  return parts
    .map(part)
    .filter((text) => text.trim() !== "")
    .join("\n\n")
    .slice(0, LONGEST);
}

function part(markup: Markup): string {
  if (typeof markup === "string") return markup;
  if ("language" in markup) return fenced(markup.language, markup.value);
  return markup.kind === "plaintext" ? plain(markup.value) : markup.value;
}

/** With more backticks than the code has anywhere. */
function fenced(language: string, code: string): string {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language.replace(/[^\w+#.-]/g, "")}\n${code}\n${fence}`;
}

/** Nothing in it means anything to Markdown; lines stay lines. */
const plain = (text: string): string =>
  text.replace(/[\\`*_{}[\]<>()#+\-.!|~]/g, "\\$&").replace(/(?<!\n)\n(?!\n)/g, "  \n");
