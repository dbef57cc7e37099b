import { parseArgs } from "node:util";
import { findIdes, type Ide } from "@lockstep/client";
import { printable } from "@lockstep/protocol";
import { type Command, EXIT } from "../command.js";
import { COMMON_HELP, COMMON_OPTIONS, noteIdes, openLog } from "../common-options.js";
import { jsonText } from "../json-text.js";
import { table } from "../terminal-text.js";

const help = `lockstep ls [--json]

Lists the editors that announce themselves to coding agents on this machine, and
what is wrong with each.

${COMMON_HELP}

Examples:
  lockstep ls
  lockstep ls --json`;

async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: COMMON_OPTIONS });
  using log = openLog(values);
  const ides = await findIdes({ configDir: values["config-dir"] });
  noteIdes(log, ides);
  if (values.json) console.log(jsonText(ides.map(publicPart), 2));
  else if (ides.length > 0) console.log(listing(ides, values.quiet));
  else if (!values.quiet) console.log("No editor announces itself here. Start one: lockstep");
  return EXIT.ok;
}

function publicPart({ port, name, pid, folders, lockFiles, problems }: Ide) {
  return { port, name, pid, folders, lockFiles, problems };
}

function listing(ides: readonly Ide[], quiet: boolean): string {
  const rows = ides.map(({ port, name, pid, folders, problems }) => [
    String(port),
    name,
    pid === null ? "?" : String(pid),
    problems.some(({ fatal }) => fatal) ? "unusable" : "ready",
    folders.join(", "),
  ]);
  const notes = ides.flatMap(({ port, problems }) =>
    problems.map(({ message }) => printable(`${port}: ${message}`)),
  );
  const editors = table(["PORT", "NAME", "PID", "STATE", "FOLDERS"], rows);
  return quiet ? editors : [editors, ...notes].join("\n");
}

export const command: Command = { help, run };
