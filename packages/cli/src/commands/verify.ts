import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { chooseIde, findIdes } from "@lockstep/client";
import {
  type Decision,
  type Result,
  ScriptedIde,
  verifyAgent,
  verifyIde,
} from "@lockstep/conformance";
import { printable } from "@lockstep/protocol";
import { type Command, EXIT, UsageError } from "../command.js";
import { COMMON_HELP, COMMON_OPTIONS, noteIdes, openLog } from "../common-options.js";
import { jsonText } from "../json-text.js";
import type { Log } from "../log.js";
import { portNumber } from "../port-number.js";
import { Progress } from "../progress.js";
import { table } from "../terminal-text.js";

const help = `lockstep verify [--ide PORT | --lock FILE] [--interactive] [--json]
lockstep verify --agent [--json] -- <command> [argument...]

Checks a running editor, or an agent, against the clauses of docs/protocol.md.
The exit code is 1 if one is broken.

An editor is checked as an agent sees it: files named lockstep-verify-... are made
in its workspace for a moment, opened, and proposed to be changed. Without --ide or
--lock it is the editor that has the current folder open.

An agent is started by its command, in the current folder, and told of an editor
that only plays its part. The lock file for that is removed at the end.

  --ide PORT          the editor to check, one of lockstep ls
  --lock FILE         the editor to check, by its lock file
  --interactive       ask you to accept and to reject a proposal in the editor;
                      without it, what needs a person is skipped
  --agent             check the agent that the command starts
${COMMON_HELP}

Examples:
  lockstep verify
  lockstep verify --lock ~/.claude/ide/43481.lock --json
  lockstep verify --agent -- claude`;

async function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      ...COMMON_OPTIONS,
      ide: { type: "string" },
      lock: { type: "string" },
      interactive: { type: "boolean", default: false },
      agent: { type: "boolean", default: false },
    },
  });
  const configDir = values["config-dir"];
  if (values.ide !== undefined && values.lock !== undefined)
    throw new UsageError("verify takes --ide or --lock, not both");
  if (values.agent !== positionals.length > 0)
    throw new UsageError("An agent is checked by: lockstep verify --agent -- command");
  using log = openLog(values);
  using progress = new Progress(values.quiet || values.interactive);
  const checks = values.agent
    ? checkAgent(positionals, configDir)
    : verifyIde({
        lockFile:
          values.lock === undefined
            ? await lockOf(portNumber(values.ide), configDir, log)
            : await namedLock(values.lock),
        decide: values.interactive ? askPerson : undefined,
        onMessage: (direction, text) => log.note(direction, text),
      });
  const results: Result[] = [];
  for await (const result of checks) {
    results.push(result);
    log.note("checked", JSON.stringify(flat(result)));
    progress.say(`${results.length} checked, ${result.clause} ${result.title}`);
  }
  progress.end();
  console.log(values.json ? jsonText(results.map(flat), 2) : listing(results));
  return results.some(({ verdict }) => verdict.kind === "fail") ? EXIT.failed : EXIT.ok;
}

/** A slip in the name is not the editor's fault; all else that is wrong with the file is a clause. */
async function namedLock(path: string): Promise<string> {
  const stats = await stat(path).catch((error: NodeJS.ErrnoException) => error);
  if (stats instanceof Error)
    throw new UsageError(
      stats.code === "ENOENT"
        ? `There is no file ${path}. lockstep ls --json names the lock files that are there`
        : `${path} cannot be read: ${stats.message}`,
    );
  if (!stats.isFile()) throw new UsageError(`${path} is not an ordinary file`);
  return path;
}

async function lockOf(
  port: number | undefined,
  configDir: string | undefined,
  log: Log,
): Promise<string> {
  const ides = await findIdes({ configDir });
  noteIdes(log, ides);
  const ide = chooseIde(ides, { port });
  log.note("checking", `${ide.name} on port ${ide.port}`);
  return ide.lockFiles[0] ?? "";
}

async function askPerson(decision: Decision, tabName: string): Promise<void> {
  console.error(printable(`Please ${decision} in the editor: ${tabName}`));
}

async function* checkAgent(
  [command = "", ...args]: readonly string[],
  configDir = process.env.CLAUDE_CONFIG_DIR || join(homedir(), ".claude"),
): AsyncGenerator<Result> {
  await using ide = await ScriptedIde.start({ configDir, folder: process.cwd() });
  const env = { ...process.env, CLAUDE_CONFIG_DIR: configDir, ...ide.environment };
  // What the agent draws goes to standard error, so that our output is the results alone.
  const agent = spawn(command, args, { env, stdio: ["inherit", 2, 2] });
  // One that cannot be started has no end; that is said by `started`.
  const ended = once(agent, "exit").catch(() => {});
  await started(agent, command);
  void ended.then(() => ide.lines.end());
  const stop = () => ide.lines.end();
  for (const signal of SIGNALS) process.once(signal, stop);
  try {
    yield* verifyAgent(ide);
  } finally {
    for (const signal of SIGNALS) process.off(signal, stop);
    await endAgent(agent, ended);
  }
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** There is nothing to check of an agent that cannot be started. */
async function started(agent: ChildProcess, command: string): Promise<void> {
  await once(agent, "spawn").catch(({ code, message }: NodeJS.ErrnoException) => {
    throw new UsageError(
      code === "ENOENT"
        ? `There is no program ${command} on your PATH`
        : `${command} cannot be started: ${message}`,
    );
  });
}

/** An agent that does not go when asked to is made to. */
const GRACE_MS = 5_000;

async function endAgent(agent: ChildProcess, ended: Promise<unknown>): Promise<void> {
  agent.kill("SIGTERM");
  const impatient = setTimeout(() => agent.kill("SIGKILL"), GRACE_MS);
  await ended;
  clearTimeout(impatient);
}

function flat({ clause, title, verdict }: Result) {
  return { clause, title, result: verdict.kind, why: "why" in verdict ? verdict.why : undefined };
}

function listing(results: readonly Result[]): string {
  const rows = results.map(flat);
  const count = (kind: string) => rows.filter(({ result }) => result === kind).length;
  const cells = rows.map(({ clause, title, result, why = "" }) => [clause, result, title, why]);
  const sum = `${count("pass")} passed, ${count("fail")} failed, ${count("skipped")} skipped`;
  return `${table(["CLAUSE", "RESULT", "TITLE", "WHY"], cells)}\n${sum}`;
}

export const command: Command = { help, run };
