/** Ids whose name is not simply the id with a capital letter. */
const NAMES: Readonly<Record<string, string>> = {
  bat: "Batch",
  cmake: "CMake",
  cpp: "C++",
  csharp: "C#",
  css: "CSS",
  fsharp: "F#",
  graphql: "GraphQL",
  html: "HTML",
  ignore: "Ignore list",
  ini: "INI",
  javascript: "JavaScript",
  javascriptreact: "JavaScript JSX",
  json: "JSON",
  jsonc: "JSON with comments",
  jupyter: "Jupyter notebook",
  latex: "LaTeX",
  "objective-c": "Objective-C",
  ocaml: "OCaml",
  php: "PHP",
  plaintext: "Plain text",
  powershell: "PowerShell",
  proto: "Protocol Buffers",
  restructuredtext: "reStructuredText",
  scss: "SCSS",
  shellscript: "Shell",
  sql: "SQL",
  toml: "TOML",
  typescript: "TypeScript",
  typescriptreact: "TypeScript JSX",
  xml: "XML",
  yaml: "YAML",
};

/** A language as people write it. */
export const languageName = (id: string): string =>
  NAMES[id] ?? `${id.slice(0, 1).toUpperCase()}${id.slice(1)}`;
