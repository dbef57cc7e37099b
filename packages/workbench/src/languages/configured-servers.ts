import type { LanguageServerSetting, SettingsState } from "../contract/settings.js";
import { CATALOGUE, type ServerSpec } from "./catalogue.js";

/**
 * The servers as the settings have them. What the person's own file says holds; what the project's
 * says is noted, but that one is switched off.
 */
export function configuredServers({
  user,
  project,
}: Pick<SettingsState, "user" | "project">): readonly ServerSpec[] {
  const mine = user.languageServers ?? {};
  const theirs = project.languageServers ?? {};
  const own = [...new Set([...Object.keys(mine), ...Object.keys(theirs)])]
    .filter((id) => !CATALOGUE.some((spec) => spec.id === id))
    .map(unknown);
  // The person's own are asked first.
  return [...own, ...CATALOGUE].flatMap((spec) => {
    const [ours, wish] = [mine[spec.id], theirs[spec.id]];
    if (ours?.enabled === false || wish?.enabled === false) return [];
    const now = ours ? changed(spec, ours) : spec;
    return [wish && changesMore(wish) ? { ...withLanguages(now, wish), project: wish } : now];
  });
}

/** A server with what somebody wants to be different. */
export function changed(spec: ServerSpec, wish: LanguageServerSetting): ServerSpec {
  const { command, languages, name, settings, initializationOptions } = wish;
  return {
    ...spec,
    ...(command ? { program: { kind: "given", command } } : {}),
    ...(languages ? { languageIds: languages } : {}),
    ...(name ? { name } : {}),
    ...(settings ? { settings: { ...spec.settings, ...settings } } : {}),
    ...(initializationOptions
      ? { initializationOptions: { ...spec.initializationOptions, ...initializationOptions } }
      : {}),
  };
}

const unknown = (id: string): ServerSpec => ({
  id,
  name: id,
  languageIds: [],
  program: { kind: "none" },
});

/** Settings can name programs too, so all but the switch is more. */
const changesMore = ({ enabled: _, ...rest }: LanguageServerSetting): boolean =>
  Object.keys(rest).length > 0;

/** So that a server which only the project has is heard of where its languages are. */
const withLanguages = (spec: ServerSpec, { languages, name }: LanguageServerSetting): ServerSpec =>
  spec.program.kind === "none"
    ? { ...spec, languageIds: languages ?? [], ...(name ? { name } : {}) }
    : spec;
