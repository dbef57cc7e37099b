/** What makes HTML and markdown safe and readable; fetched when the first of them is shown. */
export { cleanHtml } from "./clean-html.js";
export { renderMarkdown } from "./markdown.js";
