import { parseArgs } from "node:util";
import type { Sight } from "@lockstep/editor";
import { filePath, printable } from "@lockstep/protocol";
import { serve } from "@lockstep/server";
import { type Command, EXIT, UsageError } from "../command.js";
import { type Decide, fileEditor } from "../file-editor.js";
import { stopSignal } from "../stop-signal.js";
import { workspace } from "../workspace.js";

const help = `lockstep serve [folder] [--json] [--decide ask|accept|reject] [--config-dir DIR]

Serves the files of a folder to coding agents until it is stopped. Without a
folder it serves the current one.

  --json              print one line of JSON when ready, and nothing else
  --decide HOW        what to do with the agent's proposals: "ask" leaves them to
                      the agent's own terminal (the default); "accept" and "reject"
                      decide at once, for automation
  --config-dir DIR    announce in DIR/ide instead of ~/.claude/ide

Examples:
  lockstep serve
  lockstep serve ~/project --decide accept --json`;

async function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      json: { type: "boolean", default: false },
      decide: { type: "string", default: "ask" },
      "config-dir": { type: "string" },
    },
  });
  if (positionals.length > 1) throw new UsageError("serve takes one folder");
  const folder = await workspace(positionals[0] ?? ".");
  const { editor, memory } = fileEditor(folder, decision(values.decide));
  const stopping = stopSignal();
  if (!values.json) memory.watch((sight) => console.log(describe(sight)));
  const server = await serve(editor, { configDir: values["config-dir"] });
  const { port, lockFiles } = server;
  if (values.json) {
    const [lockFile] = lockFiles;
    console.log(JSON.stringify({ port, lockFile, pid: process.pid, workspaceFolders: [folder] }));
  } else {
    console.log(welcome(folder, port));
  }
  await stopping;
  await server.stop();
  return EXIT.ok;
}

function decision(given: string): Decide {
  if (given === "ask" || given === "accept" || given === "reject") return given;
  throw new UsageError(`--decide takes ask, accept or reject, not ${given}`);
}

function welcome(folder: string, port: number): string {
  return `Lockstep serves ${printable(folder)} on port ${port}.

Connect Claude Code from that folder:
  claude --ide
or type /ide in one that is already running. Stop with Ctrl+C.
`;
}

function describe(sight: Sight): string {
  switch (sight.kind) {
    case "shown": {
      const path = filePath(sight.proposal.uri) ?? sight.proposal.uri;
      return printable(`Proposal for ${path}: answer it in the agent's terminal.`);
    }
    case "withdrawn":
      return printable(
        `Proposal for ${filePath(sight.proposal.uri)} is off the table: ${sight.why}.`,
      );
    case "agent": {
      const { agent, kind } = sight.event;
      return printable(`${agent.name} ${kind === "turn" ? "began a turn" : kind}.`);
    }
  }
}

export const command: Command = { help, run };
