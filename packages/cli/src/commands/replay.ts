import { realpath } from "node:fs/promises";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { chooseIde, findIdes, isUsable } from "@lockstep/client";
import { isWithin, printable } from "@lockstep/protocol";
import { type Command, EXIT, UsageError } from "../command.js";
import { LOG_HELP, LOG_OPTIONS, noteIdes, openLog } from "../common-options.js";
import { jsonText } from "../json-text.js";
import type { Log } from "../log.js";
import { portNumber } from "../port-number.js";
import { commandEnvironment } from "../run/command-environment.js";
import { Guard } from "../run/guard.js";
import { runCommand } from "../run/run-command.js";
import { stopSignal } from "../stop-signal.js";
import { RecordingError, readRecording } from "../tap/read-recording.js";
import type { Recording } from "../tap/recording.js";
import { RecordedIde } from "../tap/replay/recorded-ide.js";
import { replayAgent } from "../tap/replay/replay-agent.js";
import { describe } from "../tap/replay/report.js";
import { shellLine } from "../tap/shell-line.js";

const help = `lockstep replay FILE [--as agent] [--ide PORT] [--fast] [--patience SECONDS] [--json]
lockstep replay FILE --as ide [--fast] [--json] [-- <command> [argument...]]

Plays one side of a recording of lockstep tap. The exit code is 1 if the other
side is not as it was.

As the agent it says to a running editor what the recorded agent said, in the same
order, and compares the answers; ids, times and versions may differ. Proposals are
shown in the editor, and wait there for a decision.

As the ide it announces itself and answers an agent as the recorded editor did, by
what is asked; what the editor told of its own accord is told at the same times.
It runs the command, or until Ctrl+C.

  --as SIDE           agent (the default) or ide
  --ide PORT          the editor to talk to, one of lockstep ls
  --fast              without the recorded pauses
  --patience SECONDS  how long an answer is waited for; 30 by default
  --json              print JSON
  --quiet             say nothing but the result
${LOG_HELP}
  --config-dir DIR    use DIR/ide instead of ~/.claude/ide, for the command too

Examples:
  lockstep replay session.jsonl --fast
  lockstep replay session.jsonl --as ide -- claude`;

async function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      as: { type: "string", default: "agent" },
      ide: { type: "string" },
      fast: { type: "boolean", default: false },
      patience: { type: "string", default: "30" },
      json: { type: "boolean", default: false },
      quiet: { type: "boolean", default: false },
      ...LOG_OPTIONS,
      "config-dir": { type: "string" },
    },
  });
  const [file, ...command] = positionals;
  if (file === undefined) throw new UsageError("replay takes the file of a recording");
  if (values.as !== "agent" && values.as !== "ide")
    throw new UsageError(`--as takes agent or ide, not ${values.as}`);
  if (command.length > 0 && (values.as === "agent" || !args.includes("--")))
    throw new UsageError("A command is started by: lockstep replay FILE --as ide -- command");
  const patienceMs = patience(values.patience);
  const recording = await readRecording(file);
  using log = openLog(values);
  const say = (text: string) => {
    log.note("said", text);
    if (!values.quiet && !values.verbose) console.error(printable(text));
  };
  if (recording.torn) say(`The last line of ${file} is not whole, and is left out.`);
  const options = {
    fast: values.fast,
    json: values.json,
    configDir: values["config-dir"] && resolve(values["config-dir"]),
    say,
    log,
  };
  return values.as === "agent"
    ? await asAgent(recording, portNumber(values.ide), patienceMs, options)
    : await asIde(recording, command, options);
}

interface Options {
  readonly fast: boolean;
  readonly json: boolean;
  readonly configDir: string | undefined;
  readonly say: (text: string) => void;
  readonly log: Log;
}

async function asAgent(
  recording: Recording,
  port: number | undefined,
  patienceMs: number,
  { fast, json, configDir, say, log }: Options,
): Promise<number> {
  const ides = await findIdes({ configDir });
  noteIdes(log, ides);
  const ide = chooseIde(ides, { port });
  const stopping = new AbortController();
  void stopSignal().then(() => stopping.abort(new RecordingError("The replay was stopped.")));
  const { answers, differences } = await replayAgent(recording, ide, {
    fast,
    patienceMs,
    signal: stopping.signal,
    onMessage: (direction, text) => log.note(direction, text),
    onWait: (subject) => say(`Waiting for the answer to ${subject}; decide it in ${ide.name}.`),
  });
  if (json) console.log(jsonText({ answers, differences }, 2));
  else for (const line of describe(answers, differences)) console.log(line);
  return differences.length > 0 ? EXIT.failed : EXIT.ok;
}

async function asIde(
  recording: Recording,
  command: readonly string[],
  { fast, json, configDir, say }: Options,
): Promise<number> {
  const folder = await realpath(process.cwd());
  const rivals = (await findIdes({ configDir })).filter(
    (ide) => isUsable(ide) && ide.folders.some((theirs) => isWithin(folder, theirs)),
  );
  const unknown: string[] = [];
  const running = command.length > 0;
  await using ide = await RecordedIde.open(recording, {
    folder,
    // With two lock files of one folder agents would choose neither.
    announceFolder: rivals.length === 0 && !running,
    fast,
    configDir,
    onUnknown: (subject) => {
      unknown.push(subject);
      if (!running) say(`The recording has no answer to this ${subject}.`);
    },
  });
  const { port, lockFiles } = ide.entrance;
  const variables = ide.entrance.environment();
  let code = 0;
  if (running) {
    using guard = new Guard();
    code = await runCommand(command, commandEnvironment(port, configDir, process.env), guard);
  } else {
    const stopping = stopSignal();
    const line = shellLine(["claude"], variables, configDir, process.env);
    if (json) {
      const [lockFile] = lockFiles;
      console.log(JSON.stringify({ port, lockFile, pid: process.pid, line }));
    } else {
      say("Playing the recorded editor until Ctrl+C. Type:");
      console.log(printable(line));
    }
    await stopping;
  }
  const { unused } = ide.answers;
  if (unused.length > 0) say(`Not asked this time: ${unused.join(", ")}`);
  if (unknown.length > 0) say(`Asked, and not in the recording: ${unknown.join(", ")}`);
  if (unused.length + unknown.length === 0) say("All was asked and answered as in the recording.");
  return unknown.length > 0 ? EXIT.failed : code;
}

function patience(given: string): number {
  const seconds = Number(given);
  if (given.trim() !== "" && seconds > 0 && seconds <= 3600) return seconds * 1000;
  throw new UsageError(`--patience takes seconds, at most 3600, not ${given}`);
}

export const command: Command = { help, run };
