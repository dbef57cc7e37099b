import { editorVariables, isEditorTerminal } from "./editor-terminal.js";
import type { Facts } from "./facts.js";
import type { Finding } from "./finding.js";
import { isSwitchedOn } from "./switches.js";

/** Whether the agent looks for an editor at all. */
export function lookingFindings(
  { env, autoConnects }: Facts,
  off: boolean,
  wanted: number | null,
): readonly Finding[] {
  if (off) {
    return [
      {
        code: "auto-connect-off",
        level: "fault",
        what: `CLAUDE_CODE_AUTO_CONNECT_IDE is ${env.CLAUDE_CODE_AUTO_CONNECT_IDE} here.`,
        why: "It wins over --ide and over CLAUDE_CODE_SSE_PORT: Claude Code then looks for no editor.",
        fix: "unset CLAUDE_CODE_AUTO_CONNECT_IDE, or choose the editor by /ide.",
      },
    ];
  }
  const told = isSwitchedOn(env.CLAUDE_CODE_AUTO_CONNECT_IDE) || autoConnects;
  if (told || wanted !== null || isEditorTerminal(env)) return [];
  return [
    {
      code: "not-looking",
      level: "note",
      what: "A bare claude in this terminal does not look for an editor.",
      why: "It looks when it is told to, or in a terminal that belongs to an editor.",
      fix: "claude --ide, or /ide in one that runs; lockstep's own terminal needs neither.",
    },
  ];
}

/** Variables that point elsewhere. */
export function environmentFindings(facts: Facts, wanted: number | null): readonly Finding[] {
  const { env, locks, ancestors, inWsl } = facts;
  const findings: Finding[] = [];
  const given = env.CLAUDE_CODE_SSE_PORT;
  if (given && wanted === null) {
    findings.push({
      code: "sse-port-invalid",
      level: "warning",
      what: `CLAUDE_CODE_SSE_PORT is "${given}", which is no port.`,
      why: "Claude Code then chooses as if it were not set.",
      fix: "unset CLAUDE_CODE_SSE_PORT, or open a new terminal in the editor.",
    });
  } else if (
    wanted !== null &&
    !locks.some(({ port, place }) => port === wanted && place.searched)
  ) {
    findings.push({
      code: "sse-port-stale",
      level: "warning",
      what: `CLAUDE_CODE_SSE_PORT is ${wanted}, and no lock file announces that port.`,
      why: "The editor that this terminal belonged to has ended or has another port now; Claude Code falls back to the one editor that matches, if there is exactly one.",
      fix: "Open a new terminal in the editor, or unset CLAUDE_CODE_SSE_PORT.",
    });
  }
  const editors = locks.filter((lock) => lock.process && ancestors.includes(lock.process.pid));
  if (isEditorTerminal(env) && wanted === null && editors.length === 0) {
    findings.push({
      code: "foreign-terminal",
      level: "fault",
      what: `This terminal says that it belongs to an editor (${terminalWords(env)}), and none of the editors that announce themselves is above it.`,
      why: "In such a terminal Claude Code takes only the editor that it runs in, even with --ide. It happens in tmux or ssh that was started from an editor's terminal.",
      fix: `env ${editorVariables(env)
        .map((name) => `-u ${name}`)
        .join(" ")} claude --ide, or set CLAUDE_CODE_SSE_PORT.`,
    });
  }
  if (env.CLAUDE_CODE_IDE_HOST_OVERRIDE) {
    const answers = locks.some(({ listener, place }) => listener !== null && place.searched);
    findings.push({
      code: "host-override",
      level: answers ? "warning" : "fault",
      what: `CLAUDE_CODE_IDE_HOST_OVERRIDE is ${env.CLAUDE_CODE_IDE_HOST_OVERRIDE}${answers ? "" : ", where no editor's port answers"}.`,
      why: "Claude Code connects to that host instead of 127.0.0.1, with the token of the lock file.",
      fix: "unset CLAUDE_CODE_IDE_HOST_OVERRIDE, unless the editor really runs there.",
    });
  }
  if (inWsl && locks.length === 0) {
    findings.push({
      code: "wsl",
      level: "note",
      what: "This is the Windows Subsystem for Linux.",
      why: "An editor that runs on the Windows side writes its lock file there and listens there; neither is in reach here.",
      fix: "Start the editor, or its remote part, on this side.",
    });
  }
  return findings;
}

/** A proxy for everything is asked for 127.0.0.1, too. */
export function shieldFindings(env: NodeJS.ProcessEnv): readonly Finding[] {
  const proxies = ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"].filter(
    (name) => env[name],
  );
  const spared = (env.no_proxy ?? env.NO_PROXY ?? "").split(/[\s,]+/);
  if (proxies.length === 0 || spared.some((host) => host === "127.0.0.1" || host === "*"))
    return [];
  return [
    {
      code: "proxy",
      level: "warning",
      what: `${proxies.join(" and ")} is set, and NO_PROXY does not name 127.0.0.1.`,
      why: "A client that honours it asks the proxy for the editor on 127.0.0.1, which the proxy cannot reach.",
      fix: 'export NO_PROXY="127.0.0.1,localhost,$NO_PROXY"',
    },
  ];
}

function terminalWords(env: NodeJS.ProcessEnv): string {
  return editorVariables(env)
    .map((name) => `${name}=${env[name]}`)
    .join(", ");
}
