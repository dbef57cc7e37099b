import { basename } from "node:path";
import { lockFilePort } from "@lockstep/protocol";
import type { AgentReading } from "./agent-reading.js";
import type { LockFact } from "./facts.js";
import type { Finding } from "./finding.js";

/** What is wrong with a lock file and those behind it, before anybody connects. */
export function lockFindings(lock: LockFact): readonly Finding[] {
  const left = author(lock);
  // What else is wrong with a file that only has to go does not matter.
  if (left.some(({ remedy }) => remedy)) return left;
  return [...fileName(lock), ...contents(lock), ...ownership(lock), ...left, ...port(lock)];
}

function fileName({ path, port: number, place }: LockFact): readonly Finding[] {
  const name = basename(path);
  if (lockFilePort(name) !== null || !place.searched) return [];
  return [
    {
      code: "odd-name",
      level: "warning",
      what: `${path} is not called after a port, as 43481.lock is.`,
      why: Number.isNaN(number)
        ? "Claude Code counts it as an editor, to which nothing can connect."
        : `Claude Code takes it for port ${number}; other agents pass over it.`,
      fix: `Rename it, or remove it: rm '${path}'`,
    },
  ];
}

function contents({ path, ide, faults, reading }: LockFact): readonly Finding[] {
  const has = (code: string) => ide.problems.some((problem) => problem.code === code);
  // The search that ends there is a finding of its own.
  if (reading.kind === "endless") return [];
  if (reading.kind === "unreadable") {
    return [
      {
        code: "not-an-ordinary-file",
        level: "warning",
        what: `${path} is a folder, a link to nothing, or not yours to read.`,
        why: "Claude Code passes over it.",
        fix: `Look at it, and remove it: ls -ld ${path}`,
      },
    ];
  }
  if (has("not-an-ordinary-file")) {
    return [
      {
        code: "not-an-ordinary-file",
        level: "warning",
        what: `${path} is a link, or far larger than a lock file.`,
        why: "No editor writes such a one, so somebody else may have put it there. Claude Code reads it all the same, and connects to whatever it names.",
        fix: `Look at it, and remove it: ls -l ${path}`,
      },
    ];
  }
  if (has("not-a-lock-file")) {
    return [
      {
        code: "not-a-lock-file",
        level: "warning",
        what: `${path} does not hold what a lock file holds: ${faults.join(", ")}.`,
        why: whatTheAgentMakes(reading.lock),
        fix: "Restart the editor that wrote it, or update its plugin.",
      },
    ];
  }
  if (has("other-transport")) {
    return [
      {
        code: "other-transport",
        level: "warning",
        what: `${path} does not say "transport": "ws".`,
        why: "Claude Code then speaks HTTP with server-sent events to the port, which a WebSocket server does not answer. It counts as an editor of its folder all the same.",
        fix: "Update the editor's plugin.",
      },
    ];
  }
  if (ide.folders.length === 0) {
    return [
      {
        code: "no-folder",
        level: "note",
        what: `${path} announces no folder.`,
        why: "Claude Code takes it only where CLAUDE_CODE_SSE_PORT names its port, as lockstep tap does.",
        fix: "Nothing, if it is a tap; else open a folder in the editor.",
      },
    ];
  }
  const missing = faults.filter((fault) => !fault.startsWith("authToken"));
  if (missing.length === 0) return [];
  return [
    {
      code: "fields-missing",
      level: "note",
      what: `${path}: ${missing.join(", ")}.`,
      why: "Claude Code connects all the same, but shows an editor without a name as one, and cannot tell whether one without a process still lives.",
      fix: "Update the editor's plugin.",
    },
  ];
}

function whatTheAgentMakes({ trips, overWebSocket, folders }: AgentReading): string {
  if (trips) return "Claude Code's search for editors may end there.";
  if (!overWebSocket)
    return "Claude Code takes each line for a folder, or speaks HTTP with server-sent events to the port; it may count as an editor of this folder all the same.";
  if (folders.length > 0 && folders.every((folder) => [...folder].length === 1))
    return "Claude Code goes through a text letter by letter: with a / in it, it is an editor of every folder.";
  return "Claude Code takes what is there as it is; other agents pass over it.";
}

function ownership({ path, ide }: LockFact): readonly Finding[] {
  const close = {
    fix: `chmod 600 ${path}`,
    remedy: { kind: "close", path, mode: 0o600 },
  } as const;
  const findings: Readonly<Record<string, Omit<Finding, "code" | "level">>> = {
    "not-yours": {
      what: `Another user owns ${path}.`,
      why: "Claude Code would connect to whatever it names, tell it what you work on, and take its edits.",
      fix: "Remove it, and make the folder yours alone: chmod 700 its folder.",
    },
    "writable-by-others": {
      what: `Others may write ${path}.`,
      why: "They can put another port and token into it, and Claude Code connects to them.",
      ...close,
    },
    "readable-by-others": {
      what: `Others may read ${path}.`,
      why: "Whoever has its token can connect to the editor as an agent.",
      ...close,
    },
  };
  return ide.problems.flatMap(({ code }) => {
    const finding = findings[code];
    return finding ? { code, level: "danger", ...finding } : [];
  });
}

function author(lock: LockFact): readonly Finding[] {
  const { path, process: owner, listener, ide } = lock;
  const gone = ide.problems.some(({ code }) => code === "process-gone");
  if (!owner || (owner.alive && !gone)) return [];
  if (listener && listener.innerPid === owner.pid) {
    return [
      {
        code: "other-namespace",
        level: "fault",
        what: `${path} names process ${owner.pid}, which is the number of ${listener.command || "its process"} inside a container; here it is ${listener.pid}.`,
        why: "Claude Code looks for the process by that number, does not find it, and deletes the lock file.",
        fix: "Run the agent in the same container, or announce the editor here by a process of here.",
      },
    ];
  }
  if (owner.alive) {
    return [
      {
        code: "pid-reused",
        level: "warning",
        what: `${path} names process ${owner.pid}, which is younger than the file: ${owner.command || "another program"} has that number now.`,
        why: "The editor that wrote the lock file has ended; Claude Code takes the other process for it.",
        fix: listener ? "Restart the editor." : `rm ${path}`,
        ...(listener ? {} : { remedy: { kind: "remove", lockFile: path, port: lock.port } }),
      },
    ];
  }
  const listens = listener
    ? ` Port ${lock.port} answers all the same${listener.command ? `, by ${listener.command}` : ""}: the editor may run in a container, whose process numbers mean nothing here.`
    : "";
  return [
    {
      code: "process-gone",
      level: listener ? "fault" : "warning",
      what: Number.isInteger(owner.pid)
        ? `${path} was left behind by process ${owner.pid}, which is gone.${listens}`
        : `${path} names a process by what is no number.`,
      why: "Claude Code deletes such a lock file when it sees it.",
      fix: listener
        ? "Restart the editor, or announce it by a process of this machine."
        : `rm ${path}`,
      ...(listener ? {} : { remedy: { kind: "remove", lockFile: path, port: lock.port } }),
    },
  ];
}

function port(lock: LockFact): readonly Finding[] {
  const { path, port: number, ide, listener, process: owner, address, reading } = lock;
  const gone = ide.problems.some(({ code }) => code === "process-gone") || owner?.alive === false;
  if (reading.kind !== "read" || gone) return [];
  if (!listener) {
    return [
      {
        code: "not-listening",
        level: "fault",
        what: `Nothing listens on port ${number}${address && address.host !== "127.0.0.1" ? ` of ${address.host}` : ""}, which ${path} announces${owner?.command ? `; ${owner.command} (${owner.pid}) still runs` : ""}.`,
        why: "Claude Code tries it, fails, and keeps counting it as an editor of this folder.",
        fix: "Restart the editor, or its plugin.",
      },
    ];
  }
  const mine = process.getuid?.();
  if (mine !== undefined && listener.uid !== null && listener.uid !== mine) {
    return [
      {
        code: "port-not-yours",
        level: "danger",
        what: `Port ${number} belongs to a process of user ${listener.uid}, not to the editor that ${path} names.`,
        why: "Claude Code would send it the token, and tell it what you work on.",
        fix: "Restart the editor: it takes another port and a fresh token.",
      },
    ];
  }
  if (owner?.alive && listener.pid !== null && listener.pid !== owner.pid) {
    return [
      {
        code: "other-listener",
        level: "note",
        what: `Port ${number} is served by ${listener.command || "process"} (${listener.pid}), and ${path} names ${owner.command || "process"} (${owner.pid}).`,
        why: "Usual where a plugin runs as a process of its own; otherwise somebody took the port over.",
        fix: "Nothing, if the one was started by the other.",
      },
    ];
  }
  return [];
}
