import { isEditorTerminal } from "./editor-terminal.js";
import { environmentFindings, lookingFindings, shieldFindings } from "./environment.js";
import type { Facts, LockFact } from "./facts.js";
import type { Finding } from "./finding.js";
import { lockFindings } from "./lock-findings.js";
import { dangerFindings, probeFindings } from "./probe-findings.js";
import { matches, placeFindings, workspaceFindings } from "./workspace-findings.js";

/** What becomes of one lock file in the agent's eyes. */
export interface Candidate {
  readonly lock: LockFact;
  /** Why the agent passes over it, in a few words; null for one that it may choose. */
  readonly passed: string | null;
  readonly chosen: boolean;
}

export interface Diagnosis {
  /** The editor that `claude --ide` connects to from here; null for none. */
  readonly chosen: LockFact | null;
  /** Whether it connects without being told, too. */
  readonly byItself: boolean;
  readonly candidates: readonly Candidate[];
  readonly findings: readonly Finding[];
}

/**
 * Decides as Claude Code does, step by step: where it looks, which lock files it reads, which it
 * believes, which of them it takes, and whether that one lets it in.
 */
export function judge(facts: Facts): Diagnosis {
  const { env } = facts;
  const wanted = portOf(env.CLAUDE_CODE_SSE_PORT);
  const passed = facts.locks.map((lock) => ({ lock, passed: whyPassed(lock, facts, wanted) }));
  const valid = passed.filter((each) => each.passed === null).map(({ lock }) => lock);
  const named = valid.find(({ port }) => port === wanted);
  const taken = named ?? (new Set(valid.map(({ port }) => port)).size === 1 ? valid[0] : undefined);
  const off = env.CLAUDE_CODE_AUTO_CONNECT_IDE === "false";
  const reached = taken?.probe?.refused === null ? taken : null;
  const findings = [
    ...lookingFindings(facts, off),
    ...placeFindings(facts),
    ...facts.locks.flatMap((lock) => lockFindings(lock)),
    ...workspaceFindings(facts, wanted),
    ...environmentFindings(facts, wanted),
    ...ambiguity(valid, named, facts),
    ...shieldFindings(env),
    ...(taken ? probeFindings(taken) : []),
    ...facts.locks.flatMap((lock) => dangerFindings(lock)),
  ];
  return {
    chosen: reached,
    byItself: reached !== null && looksByItself(facts, reached, wanted) && !off,
    candidates: passed.map((each) => ({ ...each, chosen: each.lock === taken })),
    findings,
  };
}

/** In the order of the agent's own tests. */
function whyPassed(lock: LockFact, facts: Facts, wanted: number | null): string | null {
  const { ide, place, process: owner } = lock;
  const has = (code: string) => ide.problems.some((problem) => problem.code === code);
  if (!place.searched) return "in a folder that the agent does not search";
  if (has("not-an-ordinary-file") || has("not-a-lock-file")) return "not a lock file";
  if (has("other-transport")) return 'not "transport": "ws"';
  if (owner && owner.pid > 0 && !owner.alive) return "its process is gone";
  // The port that the terminal names is taken whatever its folder.
  if (lock.port === wanted) return null;
  if (!matches(lock, facts) && facts.env.CLAUDE_CODE_IDE_SKIP_VALID_CHECK !== "true")
    return "another folder";
  if (isEditorTerminal(facts.env) && owner && !facts.ancestors.includes(owner.pid))
    return "not the editor of this terminal";
  return null;
}

/** Two that match: the agent guesses nothing. */
function ambiguity(
  valid: readonly LockFact[],
  named: LockFact | undefined,
  { cwd }: Facts,
): readonly Finding[] {
  const ports = [...new Set(valid.map(({ port }) => port))];
  if (named || ports.length < 2) return [];
  const names = ports.map((port) => {
    const { ide } = valid.find((lock) => lock.port === port) ?? {};
    return `${ide?.name ?? "an editor"} (port ${port})`;
  });
  return [
    {
      code: "several-match",
      level: "fault",
      what: `${ports.length} editors have ${cwd} open: ${names.join(", ")}.`,
      why: "When more than one fits, Claude Code connects to none, and does not say so.",
      fix: `Name one: CLAUDE_CODE_SSE_PORT=${ports[0]} claude, choose one by /ide, or close the others.`,
    },
  ];
}

function looksByItself(facts: Facts, lock: LockFact, wanted: number | null): boolean {
  const { env, autoConnects, ancestors } = facts;
  const own = isEditorTerminal(env) && ancestors.includes(lock.process?.pid ?? -1);
  const told = env.CLAUDE_CODE_AUTO_CONNECT_IDE === "true" || autoConnects;
  return own || told || wanted === lock.port;
}

/** Null where the variable is not set, or names no port. */
function portOf(value: string | undefined): number | null {
  const port = Number(value);
  return value && Number.isInteger(port) && port > 0 && port < 65536 ? port : null;
}
