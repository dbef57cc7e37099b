import { LanguageSupport } from "@codemirror/language";
import { highlightCode } from "@lezer/highlight";
import DOMPurify from "dompurify";
import { Marked } from "marked";
import { shownText } from "../design/shown-text.js";
import { languageFor } from "../editor/languages.js";
import { highlighter } from "../editor/theme.js";
import { webAddress } from "../terminal/web-address.js";

/** What text needs, and nothing that fetches, runs or looks like a part of the page. */
const TAGS = [
  ...["p", "br", "hr", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote"],
  ...["ul", "ol", "li", "table", "thead", "tbody", "tr", "th", "td"],
  ...["em", "strong", "del", "code", "pre", "a", "sub", "sup", "kbd"],
];
const TAG = /<!--[\s\S]*?(?:-->|$)|<\/?[a-z][^>]*(?:>|$)/gi;
const SIGNS: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
const escaped = (text: string): string => text.replaceAll(/[&<>]/g, (sign) => SIGNS[sign] ?? "");
/** Longer texts are cut: nobody reads them in a tooltip. */
const LONGEST = 20_000;
const LONGEST_COLOURED = 4_000;

const marked = new Marked({
  gfm: true,
  async: false,
  renderer: {
    // Never made into elements at all, not even to be thrown away: only its text is shown.
    html: ({ text }) => (/^<br\s*\/?>$/i.test(text) ? "<br>" : escaped(text.replaceAll(TAG, ""))),
    image: ({ text }) => escaped(text),
  },
});
const purify = DOMPurify(window);

/**
 * Markdown that a language server sent, which is as untrusted as the project it speaks of: formatting,
 * and links to the web that open elsewhere. Nothing in it can fetch, run, style or turn text around.
 */
export function markdown(text: string): HTMLElement {
  const html = marked.parse(shownText(text.slice(0, LONGEST))) as string;
  const clean = purify.sanitize(html, {
    ALLOWED_TAGS: TAGS,
    ALLOWED_ATTR: ["href", "class"],
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  });
  const element = document.createElement("div");
  element.className = "markdown";
  element.append(clean);
  for (const styled of element.querySelectorAll("[class]:not(code)")) {
    styled.removeAttribute("class");
  }
  for (const link of element.querySelectorAll("a")) tame(link);
  for (const block of element.querySelectorAll("code")) void colour(block);
  return element;
}

/** A link that leads to the web opens in a tab of its own; any other is only its text. */
function tame(link: HTMLAnchorElement): void {
  const href = link.getAttribute("href") ?? "";
  const leadsTo = webAddress(href);
  if (leadsTo === null) {
    link.replaceWith(...link.childNodes);
    return;
  }
  link.href = leadsTo;
  link.target = "_blank";
  link.rel = "noopener noreferrer";
  // Its text may say something else.
  link.title = leadsTo;
}

/** Colours a fenced block of a known language, as the editor would. Its class is not needed then. */
async function colour(block: HTMLElement): Promise<void> {
  const language = /^language-([\w+#-]+)$/.exec(block.className)?.[1];
  block.removeAttribute("class");
  const code = block.textContent ?? "";
  if (!language || block.parentElement?.tagName !== "PRE" || code.length > LONGEST_COLOURED) return;
  const support = await languageFor(NAMES[language] ?? language, code.length);
  if (!(support instanceof LanguageSupport)) return;
  const { parser } = support.language;
  const pieces: Node[] = [];
  highlightCode(
    code,
    parser.parse(code),
    highlighter,
    (piece, classes) => {
      if (!classes) return void pieces.push(document.createTextNode(piece));
      const span = document.createElement("span");
      span.className = classes;
      span.textContent = piece;
      pieces.push(span);
    },
    () => pieces.push(document.createTextNode("\n")),
  );
  block.replaceChildren(...pieces);
}

/** How servers call languages that the editor knows under another name. */
const NAMES: Readonly<Record<string, string>> = {
  ts: "typescript",
  tsx: "typescriptreact",
  js: "javascript",
  jsx: "javascriptreact",
  py: "python",
  sh: "shellscript",
  rs: "rust",
};
