import { Marked } from "marked";
import { cleanHtml } from "./clean-html.js";

const marked = new Marked({ gfm: true, breaks: false });

/** The text of a markdown cell as it is read; its own pictures go by "attachment:name". */
export function renderMarkdown(
  text: string,
  attachments: Readonly<Record<string, string>>,
): DocumentFragment {
  const html = marked.parse(text, { async: false });
  const whole = html.replace(/(<img\b[^>]*\bsrc=")attachment:([^"]*)"/g, (found, lead, name) => {
    const address = attachments[decoded(name)];
    return address ? `${lead}${address}"` : found;
  });
  return cleanHtml(whole);
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
