/** A terminal inside of an editor: the agent then takes only that editor. */
export function isEditorTerminal(env: NodeJS.ProcessEnv): boolean {
  return (
    env.TERM_PROGRAM === "vscode" ||
    env.TERMINAL_EMULATOR === "JetBrains-JediTerm" ||
    env.FORCE_CODE_TERMINAL === "1"
  );
}
