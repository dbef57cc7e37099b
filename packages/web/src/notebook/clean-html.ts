import DOMPurify, { type Config } from "dompurify";

/** Attributes that are no addresses. */
const WORDS = [
  ...["align", "colspan", "rowspan", "scope", "start", "dir", "lang", "width", "height", "open"],
];

/**
 * What HTML from a notebook may have. It comes from whoever wrote the file or the code, so: no script,
 * no handlers, no forms, no frames; no styles, classes or ids, so that nothing leaves its cell or looks
 * like a part of the page; no address that is fetched.
 */
const CONFIG: Config = {
  ALLOWED_TAGS: [
    ...["p", "div", "span", "br", "hr", "wbr", "blockquote", "pre", "code", "kbd", "samp", "var"],
    ...["b", "strong", "i", "em", "u", "s", "del", "ins", "sub", "sup", "small", "mark", "q"],
    ...["h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "dl", "dt", "dd", "abbr", "cite"],
    ...["table", "caption", "thead", "tbody", "tfoot", "tr", "th", "td", "colgroup", "col"],
    ...["a", "img", "figure", "figcaption", "details", "summary"],
  ],
  ALLOWED_ATTR: ["href", "src", "alt", "title", ...WORDS],
  // Without this they would have to be addresses, too, and go.
  ADD_URI_SAFE_ATTR: WORDS,
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|#|data:image\/(?:png|jpeg|gif|webp);base64,)/i,
  RETURN_DOM_FRAGMENT: true,
};

const PICTURE = /^data:image\/(?:png|jpeg|gif|webp);base64,[a-z0-9+/=\s]*$/i;

const purify = DOMPurify(window);
purify.addHook("afterSanitizeAttributes", (node) => {
  if (node.tagName === "IMG" && !PICTURE.test(node.getAttribute("src") ?? "")) {
    const words = node.getAttribute("alt") || "A picture from elsewhere, which is not fetched";
    node.replaceWith(node.ownerDocument.createTextNode(`[${words}]`));
  }
  if (node.tagName !== "A") return;
  if (!/^(?:https?:|mailto:)/i.test(node.getAttribute("href") ?? "")) node.removeAttribute("href");
  node.setAttribute("target", "_blank");
  node.setAttribute("rel", "noopener noreferrer");
});

/** The harmless part of it. */
export function cleanHtml(html: string): DocumentFragment {
  const fragment = purify.sanitize(html, CONFIG) as unknown as DocumentFragment;
  // A head without a word, as over the index of a data frame, is none.
  for (const head of fragment.querySelectorAll("th")) {
    if (head.textContent?.trim() !== "") continue;
    const cell = head.ownerDocument.createElement("td");
    cell.colSpan = head.colSpan;
    cell.rowSpan = head.rowSpan;
    head.replaceWith(cell);
  }
  return fragment;
}
