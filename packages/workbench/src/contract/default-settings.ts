import type { Settings } from "./settings.js";

/** What holds where nobody has set anything. Alone, so that the page can have it without the schemas. */
export const DEFAULTS: Required<Settings> = {
  theme: "system",
  fontSize: 13,
  fontFamily: "",
  tabSize: 2,
  insertSpaces: true,
  wordWrap: false,
  autoSave: "off",
  trimTrailingWhitespace: false,
  diffLayout: "side-by-side",
  diffWhitespace: "show",
  privateFiles: [],
  shareGitIgnored: false,
  agentCodeTimeout: 300,
  turnNotices: true,
  terminalShell: "",
  terminalFontSize: 13,
  languageServers: {},
};
