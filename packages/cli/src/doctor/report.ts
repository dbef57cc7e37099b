import { basename } from "node:path";
import { printable } from "@lockstep/protocol";
import type { Paint, paints } from "../paint.js";
import type { LockFact } from "./facts.js";
import type { Finding } from "./finding.js";
import type { Candidate, Diagnosis } from "./judge.js";

/** One screen: the verdict, the editors, then each finding with its reason and its fix. */
export function report(
  { chosen, byItself, candidates, findings }: Diagnosis,
  cwd: string,
  paint: ReturnType<typeof paints>,
): string {
  const { red, green, yellow, faint, bold } = paint;
  const marks: Readonly<Record<Finding["level"], string>> = {
    fault: red("✗"),
    danger: red("!"),
    warning: yellow("▲"),
    note: faint("·"),
  };
  return [
    chosen
      ? `${green("✓")} ${bold(words(`An agent that is started in ${cwd} connects to ${chosen.name} on port ${chosen.port}`))}${byItself ? ", by itself." : ", by claude --ide."}`
      : `${red("✗")} ${bold(words(`An agent that is started in ${cwd} connects to no editor.`))}`,
    "",
    ...candidates.map((candidate) => editorLine(candidate, green, faint)),
    ...(candidates.length > 0 ? [""] : []),
    ...findings.flatMap(({ level, code, what, why, fix }) => [
      `${marks[level]} ${words(what)} ${faint(`[${code}]`)}`,
      `    ${faint("why")}  ${words(why)}`,
      `    ${faint("fix")}  ${words(fix)}`,
    ]),
    ...(findings.length === 0 ? [faint("Nothing is wrong.")] : []),
  ].join("\n");
}

function editorLine({ lock, passed, chosen }: Candidate, green: Paint, faint: Paint): string {
  const { name, port, path } = lock;
  const folders = lock.folders.join(", ") || "no folder";
  const state = chosen ? green("taken") : faint(passed ?? "fits, as others do");
  const where = Number.isNaN(port) ? basename(path) : port;
  return `  ${words(`${where}  ${name}  ${folders}`)}  ${state}${probed(lock)}`;
}

function probed({ probe, listener, reading }: LockFact): string {
  const talks = reading.kind === "read" && reading.lock.overWebSocket;
  if (!probe && listener && talks) return "  not asked, so that it gets no token";
  if (!probe || probe.refused !== null) return "";
  const time = probe.roundTripMs === null ? "" : `, ${probe.roundTripMs.toFixed(1)} ms`;
  const tools = probe.tools === null ? "no list of tools" : `${probe.tools.length} tools`;
  return words(`  ${probe.server}, MCP ${probe.protocolVersion}, ${tools}${time}`);
}

/** Names and paths come from elsewhere: nothing in them may steer the terminal. */
const words = (text: string): string => printable(text);

/** For scripts. No token is in it. */
export function asJson({ chosen, byItself, candidates, findings }: Diagnosis, cwd: string) {
  return {
    cwd,
    connects: chosen ? { port: chosen.port, name: chosen.name, byItself } : null,
    editors: candidates.map(({ lock, passed, chosen: taken }) => ({
      port: lock.port,
      name: lock.name,
      pid: lock.process?.pid ?? null,
      folders: lock.folders,
      lockFile: lock.path,
      taken,
      passedOver: passed,
      listener: lock.listener,
      probe: lock.probe,
    })),
    findings: findings.map(({ remedy, ...finding }) => ({
      ...finding,
      fixable: remedy !== undefined,
    })),
  };
}
