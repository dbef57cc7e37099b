import * as z from "zod/mini";
import { call } from "./call.js";

export { DEFAULTS } from "./default-settings.js";

/** Names of fonts and nothing else that a style sheet has: the terminal writes them into one. */
const FONTS = /^(?:[^;:{}()<>@/*\\"'\p{Cc}]|"[^;{}<>\\"\p{Cc}]*"|'[^;{}<>\\'\p{Cc}]*')*$/u;

const texts = z.array(z.string().check(z.minLength(1), z.maxLength(1_000)));

/** What is different with a language server that Lockstep knows, or all about one that it does not. */
const languageServer = z.strictObject({
  /** Switches it off. */
  enabled: z.optional(z.boolean()),
  /** The program and its arguments, without a shell. A project's runs only where the person allows it. */
  command: z.optional(texts.check(z.minLength(1), z.maxLength(100))),
  /** Ids such as "python". Needed for a server that Lockstep does not know. */
  languages: z.optional(texts.check(z.maxLength(100))),
  /** For people. */
  name: z.optional(z.string().check(z.minLength(1), z.maxLength(50))),
  /** As the server's own documentation says. */
  settings: z.optional(z.record(z.string(), z.unknown())),
  initializationOptions: z.optional(z.record(z.string(), z.unknown())),
});
export type LanguageServerSetting = z.infer<typeof languageServer>;

/** `lockstep.json`, in the project or in the user's folder. Each entry may be left out. */
export const settings = z.strictObject({
  theme: z.optional(z.enum(["system", "light", "dark"])),
  fontSize: z.optional(z.int().check(z.minimum(8), z.maximum(40))),
  fontFamily: z.optional(z.string().check(z.maxLength(200), z.regex(FONTS))),
  tabSize: z.optional(z.int().check(z.minimum(1), z.maximum(16))),
  insertSpaces: z.optional(z.boolean()),
  wordWrap: z.optional(z.boolean()),
  /** "off" or a pause in typing after which documents are saved. */
  autoSave: z.optional(z.enum(["off", "afterDelay", "onFocusChange"])),
  trimTrailingWhitespace: z.optional(z.boolean()),
  diffLayout: z.optional(z.enum(["inline", "side-by-side"])),
  diffWhitespace: z.optional(z.enum(["show", "ignore"])),
  /** Globs of files that agents are not told of, besides secrets. */
  privateFiles: z.optional(z.array(z.string().check(z.maxLength(500))).check(z.maxLength(500))),
  shareGitIgnored: z.optional(z.boolean()),
  /** Seconds that an agent's code in a notebook may take. */
  agentCodeTimeout: z.optional(z.int().check(z.minimum(1), z.maximum(86_400))),
  /** Say when files have changed after a prompt. */
  turnNotices: z.optional(z.boolean()),
  terminalShell: z.optional(z.string().check(z.maxLength(1_000))),
  terminalFontSize: z.optional(z.int().check(z.minimum(8), z.maximum(40))),
  /** By the server's id, such as "typescript", "json" or "pyright". */
  languageServers: z.optional(
    z.record(z.string().check(z.regex(/^[\w.-]{1,50}$/)), languageServer),
  ),
});
export type Settings = z.infer<typeof settings>;

export interface SettingsState {
  /** What holds: the project's, else the user's, else the default. */
  readonly now: Required<Settings>;
  readonly user: Settings;
  readonly project: Settings;
  readonly files: { readonly user: string; readonly project: string };
  /** What is wrong with a file, as sentences that say where; that file's settings are not used. */
  readonly problems: readonly string[];
}

export const settingsCalls = {
  /** Null takes an entry out. Fails if the file is not valid now: it is never overwritten then. */
  "settings.set": call<void>()(
    z.object({
      scope: z.enum(["user", "project"]),
      name: z.keyof(settings),
      value: z.unknown(),
    }),
  ),
};
