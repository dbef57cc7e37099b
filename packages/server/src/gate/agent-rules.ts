import { homedir } from "node:os";
import { join } from "node:path";
import { AgentSettings, readJson } from "@lockstep/protocol";
import type { Files } from "../core/files.js";
import { PathRules } from "./path-rules.js";

/** Where Claude Code keeps what it may not read in a project. */
const SETTINGS = [".claude/settings.json", ".claude/settings.local.json"];

/**
 * What the agent's own settings keep from it: the editor must not tell it behind their back. Those that
 * hold in every project count as well, as they do for the agent: none takes back what another denies.
 */
export async function agentRules(
  folder: string,
  everywhere: readonly string[],
  files: Files,
): Promise<readonly PathRules[]> {
  const paths = [...SETTINGS.map((name) => join(folder, name)), ...everywhere];
  const texts = await Promise.all(paths.map((path) => files.read(path).catch(() => null)));
  return texts.flatMap((text) => denied(text).flatMap((rule) => rulesOf(rule, folder)));
}

function denied(text: string | null): readonly string[] {
  const reading = readJson(AgentSettings, text ?? "{}");
  const deny = reading.ok ? (reading.data.permissions?.deny ?? []) : [];
  return deny.filter((rule) => typeof rule === "string");
}

/**
 * `Read(pattern)`: `//x` is absolute, `~/x` below the home folder, `/x` and `./x` below the project,
 * anything else any depth below it. `Read` alone is everything.
 */
function rulesOf(rule: string, folder: string): readonly PathRules[] {
  const pattern = /^Read(?:\((.*)\))?$/.exec(rule.trim());
  if (!pattern) return [];
  const path = pattern[1] ?? "**";
  if (path.startsWith("//")) return [new PathRules("/", path.slice(1))];
  if (path.startsWith("~/")) return [new PathRules(homedir(), path.slice(1))];
  return [new PathRules(folder, path.startsWith("./") ? path.slice(1) : path)];
}
