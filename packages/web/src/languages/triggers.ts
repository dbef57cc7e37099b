const SCRIPT = [".", '"', "'", "`", "/", "@", "<", "#"];
const MARKUP = ["<", "/", ".", ":", '"', "="];
const STYLE = [":", "-", "@", "."];

/** After which characters a list of completions is of use though nothing of a name is typed yet. */
const TRIGGERS: Readonly<Record<string, readonly string[]>> = {
  typescript: SCRIPT,
  typescriptreact: SCRIPT,
  javascript: SCRIPT,
  javascriptreact: SCRIPT,
  html: MARKUP,
  vue: MARKUP,
  svelte: MARKUP,
  css: STYLE,
  scss: STYLE,
  less: STYLE,
  json: ['"', ":"],
  jsonc: ['"', ":"],
  python: [".", "[", '"', "'"],
  rust: [".", ":"],
  go: ["."],
  c: [".", ">", "<", '"', "/"],
  cpp: [".", ">", ":", "<", '"', "/"],
  shellscript: ["$"],
  yaml: [],
  markdown: [],
  plaintext: [],
};

export const isTrigger = (languageId: string, letter: string): boolean =>
  (TRIGGERS[languageId] ?? ["."]).includes(letter);

/** In these a name may have dashes. */
const DASHED: ReadonlySet<string> = new Set(["css", "scss", "less", "html", "json", "yaml"]);

/** What has been typed of a name. */
export const nameBefore = (languageId: string): RegExp =>
  DASHED.has(languageId) ? /[\p{L}\p{N}_$@-]+$/u : /[\p{L}\p{N}_$]+$/u;

export const wholeName = (languageId: string): RegExp =>
  DASHED.has(languageId) ? /^[\p{L}\p{N}_$@-]*$/u : /^[\p{L}\p{N}_$]*$/u;

/** Texts that people write for people: words are offered only if they are asked for. */
export const isProse = (languageId: string): boolean =>
  languageId === "plaintext" || languageId === "markdown" || languageId === "restructuredtext";
