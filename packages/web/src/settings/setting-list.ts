import type { Settings } from "@lockstep/workbench/contract";

export type SettingName = keyof Settings;

/** How a setting is edited. */
export type Control =
  | { readonly kind: "switch" }
  | { readonly kind: "choice"; readonly options: readonly { value: string; label: string }[] }
  | { readonly kind: "number"; readonly least: number; readonly most: number }
  | { readonly kind: "text"; readonly placeholder: string }
  | { readonly kind: "lines"; readonly placeholder: string }
  /** Too much for a form: the file is the place. */
  | { readonly kind: "file"; readonly example: string };

export interface Setting {
  readonly name: SettingName;
  readonly label: string;
  readonly text: string;
  readonly control: Control;
  /** A project cannot set it: it would start programs or widen what agents see. */
  readonly userOnly?: true;
}

export interface Section {
  readonly title: string;
  readonly settings: readonly Setting[];
}

const choice = (options: Readonly<Record<string, string>>): Control => ({
  kind: "choice",
  options: Object.entries(options).map(([value, label]) => ({ value, label })),
});

export const SECTIONS: readonly Section[] = [
  {
    title: "Appearance",
    settings: [
      {
        name: "theme",
        label: "Theme",
        text: "Light, dark, or as the system has it.",
        control: choice({ system: "As the system", light: "Light", dark: "Dark" }),
      },
      {
        name: "fontSize",
        label: "Size of code",
        text: "In pixels, for the editor and reviews.",
        control: { kind: "number", least: 8, most: 40 },
      },
      {
        name: "fontFamily",
        label: "Font of code",
        text: "Names as in CSS; empty for the system’s.",
        control: { kind: "text", placeholder: '"JetBrains Mono", monospace' },
      },
    ],
  },
  {
    title: "Editing",
    settings: [
      {
        name: "tabSize",
        label: "Width of a tab",
        text: "In columns. A file’s own indentation is found and kept.",
        control: { kind: "number", least: 1, most: 16 },
      },
      {
        name: "insertSpaces",
        label: "Indent with spaces",
        text: "Where a file does not show what it uses.",
        control: { kind: "switch" },
      },
      {
        name: "wordWrap",
        label: "Wrap long lines",
        text: "Lines that are wider than the window go on below.",
        control: { kind: "switch" },
      },
      {
        name: "autoSave",
        label: "Save by itself",
        text: "Unsaved edits survive a crash in any case.",
        control: choice({
          off: "Never",
          afterDelay: "After a pause in typing",
          onFocusChange: "When you leave the window",
        }),
      },
      {
        name: "trimTrailingWhitespace",
        label: "Trim ends of lines",
        text: "Takes blanks at the ends of lines out when saving.",
        control: { kind: "switch" },
      },
    ],
  },
  {
    title: "Review",
    settings: [
      {
        name: "diffLayout",
        label: "Layout",
        text: "How a proposal is laid out where there is room.",
        control: choice({ "side-by-side": "Side by side", inline: "Inline" }),
      },
      {
        name: "diffWhitespace",
        label: "Whitespace",
        text: "Whether changes of blanks alone are marked.",
        control: choice({ show: "Show", ignore: "Ignore" }),
        userOnly: true,
      },
      {
        name: "turnNotices",
        label: "Say what a turn has changed",
        text: "A quiet word when files have changed after a prompt to an agent.",
        control: { kind: "switch" },
        userOnly: true,
      },
    ],
  },
  {
    title: "Privacy",
    settings: [
      {
        name: "privateFiles",
        label: "Private files",
        text: "Globs of files that agents are not told of, besides secrets. A project’s are added to yours.",
        control: { kind: "lines", placeholder: "notes/**" },
      },
      {
        name: "shareGitIgnored",
        label: "Share files that git ignores",
        text: "Otherwise agents are not told what you select in them.",
        control: { kind: "switch" },
        userOnly: true,
      },
    ],
  },
  {
    title: "Notebooks",
    settings: [
      {
        name: "agentCodeTimeout",
        label: "Time for agents’ code",
        text: "Seconds after which code that an agent runs in a notebook is interrupted.",
        control: { kind: "number", least: 1, most: 86_400 },
      },
    ],
  },
  {
    title: "Terminal",
    settings: [
      {
        name: "terminalShell",
        label: "Shell",
        text: "The program that a new terminal starts; empty for your login shell.",
        control: { kind: "text", placeholder: "/bin/bash" },
        userOnly: true,
      },
      {
        name: "terminalFontSize",
        label: "Size of text",
        text: "In pixels.",
        control: { kind: "number", least: 8, most: 40 },
      },
    ],
  },
  {
    title: "Languages",
    settings: [
      {
        name: "languageServers",
        label: "Language servers",
        text: "The entry “languageServers” switches one off, names another program for it, or adds one of your own. A program that a project names runs only after you have allowed it.",
        control: {
          kind: "file",
          example: '"pyright": { "enabled": false }',
        },
      },
    ],
  },
];
