import * as z from "zod/mini";
import { type Settings, settings } from "../contract/settings.js";

export type SettingName = keyof Settings;

/** A cloned repository must not start a program, widen what agents see, nor hide what they change. */
const NOT_FOR_PROJECTS: readonly string[] = [
  "terminalShell",
  "shareGitIgnored",
  "diffWhitespace",
  "turnNotices",
] satisfies SettingName[];

/** For editors that complete and check `lockstep.json`. */
const SCHEMA_KEY = "$schema";

const isSettingName = (name: string): name is SettingName => Object.hasOwn(settings.shape, name);

export const isForProjects = (name: SettingName): boolean => !NOT_FOR_PROJECTS.includes(name);

/** A pattern after which files are told of that others keep private, the secrets among them. */
export const takesOut = (pattern: string): boolean => pattern.startsWith("!");

/** Whether `value` may be the setting `name`. */
export const isValid = (name: SettingName, value: unknown): boolean =>
  settings.shape[name].safeParse(value).success && value !== undefined;

/** What a setting takes: "a whole number from 8 to 40". */
export function expectation(name: SettingName): string {
  return wording(z.toJSONSchema(settings.shape[name]) as JsonSchema);
}

/** What is in a file, as far as it can be used, and what cannot. */
export interface CheckedSettings {
  readonly settings: Settings;
  /** Each with the name of its entry. */
  readonly wrong: readonly { readonly entry: string; readonly what: string }[];
  /** Entries that this scope may not have; the others still hold. */
  readonly barred: readonly { readonly entry: string; readonly what: string }[];
}

/** Checks each entry by itself, so that all that is wrong is told at once. */
export function checkSettings(
  entries: Readonly<Record<string, unknown>>,
  scope: "user" | "project",
): CheckedSettings {
  const good: [string, unknown][] = [];
  const wrong: { entry: string; what: string }[] = [];
  const barred: { entry: string; what: string }[] = [];
  for (const [entry, value] of Object.entries(entries)) {
    if (entry === SCHEMA_KEY) continue;
    if (!isSettingName(entry)) wrong.push({ entry, what: "is not a setting of Lockstep" });
    else if (!isValid(entry, value)) wrong.push({ entry, what: `must be ${expectation(entry)}` });
    else if (scope === "project" && !isForProjects(entry))
      barred.push({ entry, what: "can only be set in your own settings, not by a project" });
    else if (scope === "project" && entry === "privateFiles") {
      const patterns = value as readonly string[];
      const more = patterns.filter((pattern) => !takesOut(pattern));
      if (more.length < patterns.length)
        barred.push({ entry, what: "of a project cannot take files out by “!”" });
      good.push([entry, more]);
    } else good.push([entry, value]);
  }
  return { settings: Object.fromEntries(good), wrong, barred };
}

interface JsonSchema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
}

function wording(schema: JsonSchema): string {
  const { type, enum: choices, minimum, maximum, maxLength, pattern } = schema;
  if (choices) return `one of ${choices.map((choice) => JSON.stringify(choice)).join(", ")}`;
  if (type === "integer") return `a whole number from ${minimum} to ${maximum}`;
  if (type === "boolean") return "true or false";
  if (type === "array") return "a list of texts";
  if (type === "object")
    return "an object with an entry for each server, of “enabled”, “command”, “languages”, “name”, “settings” or “initializationOptions”";
  if (pattern) return `names of fonts with commas between them, at most ${maxLength} characters`;
  return `a text of at most ${maxLength} characters`;
}
