import { isUsable } from "@lockstep/client";
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
      ? `${green("✓")} ${bold(words(`An agent that is started in ${cwd} connects to ${chosen.ide.name} on port ${chosen.port}`))}${byItself ? ", by itself." : ", by claude --ide."}`
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
  const { ide, port } = lock;
  const folders = ide.folders.join(", ") || "no folder";
  const state = chosen ? green("taken") : faint(passed ?? "fits, as others do");
  return `  ${words(`${port}  ${ide.name}  ${folders}`)}  ${state}${probed(lock)}`;
}

function probed({ probe, listener, ide }: LockFact): string {
  if (!probe && listener && !isUsable(ide)) return "  not asked, so that it gets no token";
  if (!probe || probe.refused !== null) return "";
  const time = probe.roundTripMs === null ? "" : `, ${probe.roundTripMs.toFixed(1)} ms`;
  return words(
    `  ${probe.server}, MCP ${probe.protocolVersion}, ${probe.tools.length} tools${time}`,
  );
}

/** Names and paths come from elsewhere: nothing in them may steer the terminal. */
const words = (text: string): string => printable(text);

/** For scripts. No token is in it. */
export function asJson({ chosen, byItself, candidates, findings }: Diagnosis, cwd: string) {
  return {
    cwd,
    connects: chosen ? { port: chosen.port, name: chosen.ide.name, byItself } : null,
    editors: candidates.map(({ lock, passed, chosen: taken }) => ({
      port: lock.port,
      name: lock.ide.name,
      pid: lock.ide.pid,
      folders: lock.ide.folders,
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
