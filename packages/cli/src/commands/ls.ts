import { parseArgs } from "node:util";
import { findIdes, type Ide } from "@lockstep/client";
import { printable } from "@lockstep/protocol";
import { type Command, EXIT } from "../command.js";
import { table } from "../terminal-text.js";

const help = `lockstep ls [--json] [--config-dir DIR]

Lists the editors that announce themselves to coding agents on this machine, and
what is wrong with each.

  --json              print JSON instead of a table
  --config-dir DIR    look in DIR/ide too

Examples:
  lockstep ls
  lockstep ls --json`;

async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: { json: { type: "boolean", default: false }, "config-dir": { type: "string" } },
  });
  const ides = await findIdes({ configDir: values["config-dir"] });
  if (values.json) console.log(JSON.stringify(ides.map(publicPart), null, 2));
  else console.log(ides.length > 0 ? listing(ides) : "No editor announces itself here.");
  return EXIT.ok;
}

function publicPart({ port, name, pid, folders, lockFiles, problems }: Ide) {
  return { port, name, pid, folders, lockFiles, problems };
}

function listing(ides: readonly Ide[]): string {
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
  return [table(["PORT", "NAME", "PID", "STATE", "FOLDERS"], rows), ...notes].join("\n");
}

export const command: Command = { help, run };
