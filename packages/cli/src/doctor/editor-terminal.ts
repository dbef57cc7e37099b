/** A terminal inside of an editor: the agent then takes only that editor. */
export function isEditorTerminal(env: NodeJS.ProcessEnv): boolean {
  return editorVariables(env).length > 0;
}

/** The variables by which a terminal says so. */
export function editorVariables(env: NodeJS.ProcessEnv): readonly string[] {
  return Object.keys(SIGNS).filter((name) => SIGNS[name]?.(env[name] ?? ""));
}

/** What editors call their terminals; other names, in other letters too, are ordinary terminals. */
const EDITORS: ReadonlySet<string> = new Set(
  "vscode cursor windsurf pycharm intellij webstorm phpstorm rubymine clion goland rider datagrip".split(
    " ",
  ),
);

const SIGNS: Readonly<Record<string, (value: string) => boolean>> = {
  TERM_PROGRAM: (value) => EDITORS.has(value),
  TERMINAL_EMULATOR: (value) => value === "JetBrains-JediTerm",
  // Also "0": any word counts.
  FORCE_CODE_TERMINAL: (value) => value !== "",
  CURSOR_TRACE_ID: (value) => value !== "",
  VSCODE_GIT_ASKPASS_MAIN: (value) => /\/\.(cursor|windsurf)-server\//.test(value),
};
