import { isEditorTerminal } from "./editor-terminal.js";
import { environmentFindings, lookingFindings, shieldFindings } from "./environment.js";
import type { Facts, LockFact } from "./facts.js";
import type { Finding } from "./finding.js";
import { lockFindings } from "./lock-findings.js";
import { dangerFindings, probeFindings } from "./probe-findings.js";
import { isSwitchedOff, isSwitchedOn } from "./switches.js";
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
  // Counted as files: one editor that announces itself in both folders is two.
  const taken = named ?? (valid.length === 1 ? valid[0] : undefined);
  const off = isSwitchedOff(env.CLAUDE_CODE_AUTO_CONNECT_IDE);
  const reached = taken && !off && taken.answersAtHost && letsIn(taken) ? taken : null;
  const findings = [
    ...lookingFindings(facts, off, wanted),
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
    byItself: reached !== null && looksByItself(facts, wanted),
    candidates: passed.map((each) => ({ ...each, chosen: each.lock === taken })),
    findings,
  };
}

/** In the order of the agent's own tests. */
function whyPassed(lock: LockFact, facts: Facts, wanted: number | null): string | null {
  const { ide, place, process: owner } = lock;
  const has = (code: string) => ide.problems.some((problem) => problem.code === code);
  if (!place.searched) return "in a folder that the agent does not search";
  if (has("not-an-ordinary-file")) return "not read";
  if (has("not-a-lock-file")) return "not a lock file";
  if (owner && !owner.alive) return "its process is gone";
  // The port that the terminal names is taken whatever its folder.
  if (lock.port === wanted) return null;
  if (!matches(lock, facts) && !isSwitchedOn(facts.env.CLAUDE_CODE_IDE_SKIP_VALID_CHECK))
    return "another folder";
  if (isEditorTerminal(facts.env) && !(owner && facts.ancestors.includes(owner.pid)))
    return "not the editor of this terminal";
  return null;
}

/**
 * Whether the agent gets in. An editor of ours whose lock file may be an impostor's was not asked,
 * since that would tell it the token; the agent is not so careful.
 */
function letsIn({ probe, listener, ide }: LockFact): boolean {
  if (probe) return probe.refused === null;
  const mine = process.getuid?.();
  const ours = listener !== null && (mine === undefined || listener.uid === mine);
  return ours && !ide.problems.some(({ code }) => code === "other-transport");
}

/** Two that match: the agent guesses nothing. */
function ambiguity(
  valid: readonly LockFact[],
  named: LockFact | undefined,
  { cwd }: Facts,
): readonly Finding[] {
  const [first] = valid;
  if (named || !first || valid.length < 2) return [];
  const names = valid.map(({ ide, port, place }) => `${ide.name} (port ${port}, ${place.from})`);
  return [
    {
      code: "several-match",
      level: "fault",
      what: `${valid.length} lock files announce ${cwd}: ${names.join(", ")}.`,
      why: "When more than one fits, Claude Code connects to none, and does not say so.",
      fix: `Name one: CLAUDE_CODE_SSE_PORT=${first.port} claude, choose one by /ide, or close the others.`,
    },
  ];
}

/** Any port that the terminal names makes the agent look, also one that nobody has any more. */
function looksByItself({ env, autoConnects }: Facts, wanted: number | null): boolean {
  const told = isSwitchedOn(env.CLAUDE_CODE_AUTO_CONNECT_IDE) || autoConnects;
  return isEditorTerminal(env) || told || wanted !== null;
}

/** Null where the variable is not set, or begins with no number: what follows one is not read. */
function portOf(value: string | undefined): number | null {
  const port = Number.parseInt(value ?? "", 10);
  return Number.isNaN(port) ? null : port;
}
