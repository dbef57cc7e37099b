import { isWithin } from "@lockstep/protocol";
import { isAround } from "./agent-reading.js";
import type { Facts, LockFact } from "./facts.js";
import type { Finding } from "./finding.js";

/** Whether the agent takes a lock file for one of its folder. */
export function matches({ reading }: LockFact, { cwd }: Facts): boolean {
  return reading.kind === "read" && isAround(reading.lock, cwd);
}

/** Where lock files lie, and where the agent does not look. */
export function placeFindings({ places, locks, env }: Facts): readonly Finding[] {
  const findings: Finding[] = [];
  for (const { folder, unreadable, writableByOthers, searched, from } of places) {
    if (unreadable !== null && searched) {
      findings.push({
        code: "folder-unreadable",
        level: "fault",
        what: `${folder} cannot be read (${unreadable}).`,
        why: "Editors announce themselves there.",
        fix: `Make it a folder of yours: chmod 700 ${folder}`,
      });
    }
    if (writableByOthers) {
      findings.push({
        code: "folder-writable",
        level: "danger",
        what: `Others may write into ${folder}.`,
        why: "They can leave a lock file of their own there, and Claude Code connects to them.",
        fix: `chmod 700 ${folder}`,
        remedy: { kind: "close", path: folder, mode: 0o700 },
      });
    }
    const here = locks.filter((lock) => lock.place.folder === folder);
    const alive = here.filter(({ listener }) => listener !== null);
    if (searched || alive.length === 0) continue;
    const names = alive.map(({ name, port }) => `${name} (port ${port})`).join(", ");
    findings.push({
      code: "not-searched",
      level: "fault",
      what: `${names} announces itself in ${folder} only (${from}), where an agent that is started here does not look.`,
      why: env.CLAUDE_CONFIG_DIR
        ? "Claude Code searches $CLAUDE_CONFIG_DIR/ide and ~/.claude/ide."
        : "Claude Code searches ~/.claude/ide, and $CLAUDE_CONFIG_DIR/ide where that is set; it is not set here.",
      fix: `CLAUDE_CONFIG_DIR=${folder.replace(/\/ide$/, "")} claude --ide, or start the editor without that variable.`,
    });
  }
  if (locks.length === 0) {
    findings.push({
      code: "no-editor",
      level: "fault",
      what: "No editor announces itself on this machine.",
      why: "Claude Code finds editors by the lock files that they write.",
      fix: "Start one here: lockstep",
    });
  }
  return findings;
}

/** Editors that nearly match: that is where the hours go. */
export function workspaceFindings(facts: Facts, wanted: number | null): readonly Finding[] {
  const { locks, cwd, mainWorktree } = facts;
  const alive = locks.filter(({ listener, place }) => listener !== null && place.searched);
  if (alive.length === 0 || alive.some((lock) => matches(lock, facts) || lock.port === wanted)) {
    return [];
  }
  const near = alive.flatMap((lock) => nearMiss(lock, cwd, mainWorktree));
  if (near.length > 0) return near;
  const folders = alive.map(
    ({ name, folders: its }) => `${name}: ${its.join(", ") || "no folder"}`,
  );
  return [
    {
      code: "other-folder",
      level: "fault",
      what: `No editor has ${cwd} open. ${folders.join("; ")}.`,
      why: "Claude Code takes an editor whose folder is the current one, or above it.",
      fix: `Open ${cwd} in the editor, start the agent in the editor's folder, or run lockstep here.`,
    },
  ];
}

function nearMiss(
  { name, folders, realFolders, port }: LockFact,
  cwd: string,
  mainWorktree: string | null,
): readonly Finding[] {
  const miss = (code: string, what: string, why: string, fix: string): Finding => ({
    code,
    level: "fault",
    what: `${name} (port ${port}) ${what}`,
    why,
    fix,
  });
  const [folder = ""] = folders;
  const odd = folders.find((each) => /^[A-Za-z]:[\\/]|^\\\\|^file:/.test(each));
  if (odd !== undefined) {
    return [
      miss(
        "foreign-path",
        `names its folder as ${odd}, which is no path of this system.`,
        "Claude Code compares paths as they are written; an editor on the Windows side, or one that writes URIs, never matches here.",
        "Start the editor, or its remote part, on this side.",
      ),
    ];
  }
  if (realFolders.some((real) => isWithin(cwd, real))) {
    return [
      miss(
        "linked-folder",
        `has ${folder} open, which is a link to a folder around ${cwd}.`,
        "Claude Code knows its folder without links only, and does not follow the editor's.",
        `Open the real folder in the editor: ${realFolders.find((real) => isWithin(cwd, real))}`,
      ),
    ];
  }
  if (folders.some((each) => each !== "/" && isWithin(each, cwd))) {
    return [
      miss(
        "below",
        `has ${folder} open, which lies below ${cwd}.`,
        "Claude Code takes an editor of its own folder or of one above it, never of one below.",
        `cd ${folder}`,
      ),
    ];
  }
  if (mainWorktree !== null && folders.some((each) => isWithin(mainWorktree, each))) {
    return [
      miss(
        "worktree",
        `has ${folder} open, and ${cwd} is another worktree of that repository.`,
        "For Claude Code these are two unrelated folders.",
        `Open ${cwd} in the editor, or run lockstep here.`,
      ),
    ];
  }
  const sibling = folders.find((each) => each !== "" && cwd.startsWith(each.replace(/\/$/, "")));
  if (sibling !== undefined) {
    return [
      miss(
        "name-prefix",
        `has ${sibling} open. ${cwd} only begins with the same letters.`,
        "Whole names count.",
        `Open ${cwd} in the editor.`,
      ),
    ];
  }
  return [];
}
