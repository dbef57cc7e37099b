import * as z from "zod/mini";
import { call } from "./call.js";

export { DEFAULTS } from "./default-settings.js";

/** Names of fonts and nothing else that a style sheet has: the terminal writes them into one. */
const FONTS = /^(?:[^;:{}()<>@/*\\"'\p{Cc}]|"[^;{}<>\\"\p{Cc}]*"|'[^;{}<>\\'\p{Cc}]*')*$/u;

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
  terminalShell: z.optional(z.string().check(z.maxLength(1_000))),
  terminalFontSize: z.optional(z.int().check(z.minimum(8), z.maximum(40))),
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
