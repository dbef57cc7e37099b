import { isEditorTerminal } from "./editor-terminal.js";
import { environmentFindings, lookingFindings, shieldFindings } from "./environment.js";
import type { Facts, LockFact, Reading } from "./facts.js";
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
  /** The agent's search does not come past it. */
  readonly fails: boolean;
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
  const candidates = search(facts, wanted);
  const valid = candidates.filter(({ passed }) => passed === null).map(({ lock }) => lock);
  const named = valid.filter(({ port }) => port === wanted);
  // Counted as files: one editor that announces itself in both folders is two, and its port names none.
  const [taken] = [named, valid].find(({ length }) => length === 1) ?? [];
  const off = isSwitchedOff(env.CLAUDE_CODE_AUTO_CONNECT_IDE);
  const reached = taken && !off && letsIn(taken) ? taken : null;
  const findings = [
    ...lookingFindings(facts, off, wanted),
    ...placeFindings(facts),
    ...facts.locks.flatMap((lock) => lockFindings(lock)),
    ...searchFindings(candidates),
    ...workspaceFindings(facts, wanted),
    ...environmentFindings(facts, wanted),
    ...(taken ? [] : ambiguity(valid, facts)),
    ...shieldFindings(env),
    ...(taken ? probeFindings(taken) : []),
    ...facts.locks.flatMap((lock) => dangerFindings(lock)),
  ];
  return {
    chosen: reached,
    byItself: reached !== null && looksByItself(facts, wanted),
    candidates: candidates.map((each) => ({ ...each, chosen: each.lock === taken })),
    findings,
  };
}

/** The newest first, until one of them makes the search fail: the agent then has those before it, and no other. */
function search(facts: Facts, wanted: number | null): readonly Omit<Candidate, "chosen">[] {
  const inOrder = [...facts.locks].sort((a, b) => b.writtenAt - a.writtenAt);
  const endless = inOrder.some(
    ({ reading, place }) => place.searched && reading.kind === "endless",
  );
  let failed = false;
  return inOrder.map((lock) => {
    if (lock.reading.kind === "endless")
      return { lock, passed: whyUnread(lock) ?? FAILS, fails: true };
    if (endless || failed) return { lock, passed: whyUnread(lock) ?? NOT_REACHED, fails: false };
    const passed = whyPassed(lock, facts, wanted);
    failed = passed === FAILS;
    return { lock, passed, fails: failed };
  });
}

const FAILS = "the agent's search ends here";
const NOT_REACHED = "the agent's search ends before it";

function whyUnread({ place, reading }: LockFact): string | null {
  if (!place.searched) return "in a folder that the agent does not search";
  return reading.kind === "unreadable" ? "not read" : null;
}

/** In the order of the agent's own tests. */
function whyPassed(lock: LockFact, facts: Facts, wanted: number | null): string | null {
  const unread = whyUnread(lock);
  const { reading, process: owner } = lock;
  if (unread !== null || reading.kind !== "read") return unread;
  if (owner && !owner.alive) return "its process is gone";
  const trips = reading.lock.trips?.over;
  // The port that the terminal names is taken whatever its folder.
  if (lock.port !== wanted) {
    const any = isSwitchedOn(facts.env.CLAUDE_CODE_IDE_SKIP_VALID_CHECK);
    if (!any && !matches(lock, facts)) return trips === "folders" ? FAILS : "another folder";
    if (isEditorTerminal(facts.env) && !(owner && facts.ancestors.includes(owner.pid)))
      return "not the editor of this terminal";
  }
  return trips === "name" ? FAILS : null;
}

/**
 * Whether the agent gets in. An editor whose lock file may be an impostor's was not asked, since that would tell it
 * the token, nor was another machine; the agent is not so careful.
 */
function letsIn({ probe, listener, address, reading }: LockFact): boolean {
  if (probe) return probe.refused === null;
  if (!listener || reading.kind !== "read" || !reading.lock.overWebSocket) return false;
  const mine = process.getuid?.();
  return !address?.here || mine === undefined || listener.uid === mine;
}

/** Two that match: the agent guesses nothing. */
function ambiguity(valid: readonly LockFact[], { cwd }: Facts): readonly Finding[] {
  const [first, second] = valid;
  if (!first || !second) return [];
  const names = valid.map(({ name, port, place }) => `${name} (port ${port}, ${place.from})`);
  const twins = valid.every(({ port }) => port === first.port);
  return [
    {
      code: "several-match",
      level: "fault",
      what: `${valid.length} lock files announce ${cwd}: ${names.join(", ")}.`,
      why: "When more than one fits, Claude Code connects to none, and does not say so.",
      fix: twins
        ? `They name one editor: remove all but one of them, such as ${second.path}.`
        : `Name one: CLAUDE_CODE_SSE_PORT=${first.port} claude, choose one by /ide, or close the others.`,
    },
  ];
}

/** One lock file that keeps the agent from all others. */
function searchFindings(candidates: readonly Omit<Candidate, "chosen">[]): readonly Finding[] {
  return candidates
    .filter(({ fails, lock }) => fails && lock.place.searched)
    .map(({ lock: { path, reading } }) => ({
      code: "search-fails",
      level: "fault",
      what: `Claude Code's search for editors ends at ${path}: ${tripWords(reading)}.`,
      why: "It finds none of the editors whose lock files are older, and does not say so.",
      fix: `Restart the editor that wrote it, or update its plugin; else remove it: rm ${path}`,
    }));
}

function tripWords(reading: Reading): string {
  if (reading.kind !== "read" || !reading.lock.trips)
    return "it is a pipe, which is never read to its end";
  const { over, value } = reading.lock.trips;
  return over === "name"
    ? `its ideName is ${value}, which is no text`
    : `its workspaceFolders hold ${value}, which is no path`;
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
