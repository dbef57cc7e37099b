/** A flag as `--help` shows it. */
export interface Flag {
  readonly name: string;
  /** What comes behind it, such as "PORT"; null for none. */
  readonly value: string | null;
  readonly what: string;
}

/** What `--help` says is what can be completed: there is no second list that could be wrong. */
export function flagsIn(help: string): readonly Flag[] {
  return [...help.matchAll(/^ {2}(--[a-z-]+)(?: ([A-Z=]+))? {2,}(.*)$/gm)].map(
    ([, name = "", value, what = ""]) => ({ name, value: value ?? null, what }),
  );
}

/** The commands, and the first sentence of each, from the list of them all. */
export function commandsIn(
  help: string,
): readonly { readonly name: string; readonly what: string }[] {
  return [...help.matchAll(/^ {2}lockstep ([a-z]+)\b.*? {2,}(.*)$/gm)].map(
    ([, name = "", what = ""]) => ({ name, what }),
  );
}
