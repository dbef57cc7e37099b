import { homedir } from "node:os";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { chooseIde, findIdes } from "@lockstep/client";
import { printable } from "@lockstep/protocol";
import { privateFolder, stateFolder } from "@lockstep/server";
import { type Command, EXIT, UsageError } from "../command.js";
import { LOG_HELP, LOG_OPTIONS, noteIdes, openLog } from "../common-options.js";
import { portNumber } from "../port-number.js";
import { commandEnvironment } from "../run/command-environment.js";
import { splitCommandLine } from "../run/command-line.js";
import { Guard } from "../run/guard.js";
import { runCommand } from "../run/run-command.js";
import { stopSignal } from "../stop-signal.js";
import { Recorder } from "../tap/recorder.js";
import { Redaction } from "../tap/redaction.js";
import { shellLine } from "../tap/shell-line.js";
import { Tap } from "../tap/tap.js";

const help = `lockstep tap [--ide PORT] [--out FILE] [--portable] [-- <command> [argument...]]
lockstep tap --print [--json] [--ide PORT] [--out FILE] [--portable]
lockstep tap --view FILE [--out PAGE.html] [--no-open]

Records everything that an agent and an editor say to each other, while they work.
Starts the command (claude, if none is given) in this terminal, connected to the
editor through the tap, and ends with it and with its exit code. Any editor's
plugin will do, not only Lockstep; without --ide it is the editor that this
terminal belongs to, or that has the current folder open. The recording is JSON
lines; tokens are not in it.

  --ide PORT          the editor, one of lockstep ls
  --out FILE          where the recording goes; by default into Lockstep's own folder
  --portable          write placeholders instead of your folders' paths, to share it
  --print             start nothing: print the line to type, and record until Ctrl+C
  --json              with --print, print one line of JSON
  --view FILE         show a recording as a page; with --out, write the page to a file
  --no-open           with --view, print the page's address, which works once
  --quiet             say nothing but what was asked for
${LOG_HELP}
  --config-dir DIR    use DIR/ide instead of ~/.claude/ide, for the command too

Examples:
  lockstep tap
  lockstep tap --out session.jsonl -- claude --permission-mode manual
  lockstep tap --view session.jsonl
  lockstep replay session.jsonl --as agent`;

const OPTIONS = {
  ide: { type: "string" },
  out: { type: "string" },
  portable: { type: "boolean", default: false },
  print: { type: "boolean", default: false },
  json: { type: "boolean", default: false },
  view: { type: "string" },
  "no-open": { type: "boolean", default: false },
  quiet: { type: "boolean", default: false },
  ...LOG_OPTIONS,
  "config-dir": { type: "string" },
} as const;

async function run(args: readonly string[]): Promise<number> {
  const line = splitCommandLine(args, OPTIONS);
  const { values } = parseArgs({ args: [...line.own], options: OPTIONS });
  if (values.view !== undefined) {
    if (line.command.length > 0) throw new UsageError("tap --view starts no command");
    const { showRecording } = await import("../tap/view/show-recording.js");
    return showRecording(values.view, { out: values.out, open: !values["no-open"] });
  }
  const printing = values.print || (line.command.length === 0 && process.stdout.isTTY !== true);
  if (values.json && !printing) throw new UsageError("tap takes --json with --print");
  const command = line.command.length > 0 ? line.command : ["claude"];
  const [program = "", ...programArgs] = command;
  const configDir = values["config-dir"] && resolve(values["config-dir"]);
  using log = openLog(values);
  const say = (text: string) => {
    log.note("said", text);
    if (!values.quiet && !values.verbose) console.error(printable(text));
  };

  const ides = await findIdes({ configDir });
  noteIdes(log, ides);
  const ide = chooseIde(ides, { port: portNumber(values.ide) });
  const redaction = new Redaction();
  for (const { token } of ides) redaction.hide(token());
  if (values.portable) redaction.makePortable(ide.folders, homedir());
  const recorder = await Recorder.create(values.out ?? (await defaultFile()), redaction);
  let lost: string | undefined;
  try {
    await using tap = await Tap.open({ ide, recorder, redaction, configDir });
    const { port, lockFiles } = tap.entrance;
    const variables = tap.entrance.environment();
    await recorder.begin({
      ide: { name: ide.name, folders: ide.folders },
      command: printing ? [] : [values.portable ? basename(program) : program, ...programArgs],
      environment: variables,
    });
    if (!printing) {
      say(`Recording ${ide.name} on port ${ide.port} in ${recorder.path}`);
      // The terminal is the command's now, so what is to be said waits for its end.
      void tap.lost.then((why) => {
        lost = why.message;
      });
      using guard = new Guard();
      return await runCommand(command, commandEnvironment(port, configDir, process.env), guard);
    }
    const stopping = stopSignal();
    const typed = shellLine(command, variables, configDir, process.env);
    if (values.json) {
      const { path } = recorder;
      const [lockFile] = lockFiles;
      console.log(
        JSON.stringify({ port, lockFile, pid: process.pid, recording: path, line: typed }),
      );
    } else {
      say(`Recording ${ide.name} on port ${ide.port} in ${recorder.path} until Ctrl+C. Type:`);
      console.log(printable(typed));
    }
    const why = await Promise.race([stopping, tap.lost]);
    if (why) throw why;
    return EXIT.ok;
  } finally {
    await recorder.close();
    if (lost) say(`An agent could not be connected: ${lost}`);
    for (const line of ending(recorder)) say(line);
  }
}

function ending({ frames, path, failure }: Recorder): readonly string[] {
  if (failure) return [failure];
  if (frames === 0) return [`No agent came by, so ${path} tells nothing.`];
  return [`Recorded ${frames} frames in ${path}`, `Look at them: lockstep tap --view ${path}`];
}

async function defaultFile(): Promise<string> {
  await privateFolder(stateFolder());
  const folder = await privateFolder(join(stateFolder(), "recordings"));
  const time = new Date()
    .toISOString()
    .replaceAll(":", "-")
    .replace(/\.\d+Z$/, "");
  return join(folder, `${time}-${process.pid}.jsonl`);
}

export const command: Command = { help, run };
