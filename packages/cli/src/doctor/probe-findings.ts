import type { LockFact } from "./facts.js";
import type { Finding } from "./finding.js";

/** What came of connecting to the one that the agent takes. */
export function probeFindings({ name, port, probe, listener }: LockFact): readonly Finding[] {
  // That nobody listens, or a stranger, was said before.
  if (!probe || !listener || probe.refused === null) return [];
  if (probe.tokenAccepted === false) {
    return [
      {
        code: "token-refused",
        level: "fault",
        what: `${name} on port ${port} does not accept the token of its own lock file.`,
        why: "Another program has the port now, or the editor has made a new token without writing it down.",
        fix: "Restart the editor.",
      },
    ];
  }
  return [
    {
      code: "no-handshake",
      level: "fault",
      what: `${name} on port ${port} does not talk: ${probe.refused}`,
      why: "Something listens there, but it does not answer as an editor does.",
      fix: "Restart the editor; lockstep verify tells what it does differently.",
    },
  ];
}

/** Whom else the editor lets in. */
export function dangerFindings({ name, port, probe, listener }: LockFact): readonly Finding[] {
  const findings: Finding[] = [];
  const who = `${name} on port ${port}`;
  if (probe?.open) {
    findings.push({
      code: "no-token",
      level: "danger",
      what: `${who} lets in whoever connects: it asks for no token.`,
      why: "Every program of every user of this machine can read what you select and propose edits.",
      fix: "Update the editor's plugin, or use another one.",
    });
  }
  if (probe?.openToPages) {
    findings.push({
      code: "no-origin-check",
      level: "danger",
      what: `${who} takes connections from web pages.`,
      why: probe.open
        ? "Any page in your browser can open a WebSocket to 127.0.0.1, and needs no token here."
        : "A page that learns the token can connect from your browser.",
      fix: "Update the editor's plugin, or use another one.",
    });
  }
  if (listener?.everywhere) {
    findings.push({
      code: "all-interfaces",
      level: "danger",
      what: `${who} listens on all addresses, not on 127.0.0.1 only.`,
      why: "Other machines of your network can reach it.",
      fix: "Tell the editor's plugin to listen on 127.0.0.1, or update it.",
    });
  }
  return findings;
}
