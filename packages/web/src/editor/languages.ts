import type { LanguageDescription } from "@codemirror/language";
import type { Extension } from "@codemirror/state";

/** Characters. Longer texts are shown without colours, so that every key stays quick. */
export const LARGEST_COLOURED = 5 * 1024 * 1024;

/** Language ids that CodeMirror knows under another name. */
const NAMES: Readonly<Record<string, string>> = {
  bat: "",
  dockerfile: "Dockerfile",
  ignore: "",
  ini: "Properties files",
  javascriptreact: "JSX",
  jsonc: "JavaScript",
  jupyter: "JSON",
  latex: "LaTeX",
  makefile: "",
  "objective-c": "Objective-C",
  plaintext: "",
  proto: "ProtoBuf",
  restructuredtext: "",
  shellscript: "Shell",
  typescriptreact: "TSX",
};

/**
 * The colours, indentation and comments of a language, by its id ("typescript") or a file's name
 * ("a.ts"). Each is loaded when it is first asked for; unknown and very large texts get nothing.
 */
export async function languageFor(idOrName: string, size: number): Promise<Extension> {
  if (size > LARGEST_COLOURED) return [];
  const { languages } = await import("@codemirror/language-data");
  const description = await find(idOrName, languages);
  return description ? description.load() : [];
}

async function find(
  idOrName: string,
  languages: readonly LanguageDescription[],
): Promise<LanguageDescription | null> {
  const { LanguageDescription } = await import("@codemirror/language");
  if (Object.hasOwn(NAMES, idOrName)) {
    return LanguageDescription.matchLanguageName(languages, NAMES[idOrName] ?? "", false);
  }
  return (
    LanguageDescription.matchLanguageName(languages, idOrName, false) ??
    LanguageDescription.matchFilename(languages, idOrName)
  );
}
