import { parseArgs } from "node:util";
import { printable } from "@lockstep/protocol";
import { type Command, EXIT } from "../command.js";
import { LOG_HELP, LOG_OPTIONS, openLog } from "../common-options.js";
import { serveMcp } from "../mcp/serve-mcp.js";
import { portNumber } from "../port-number.js";
import { stopSignal } from "../stop-signal.js";

const help = `lockstep mcp [--ide PORT] [--allow-writes] [--quiet] [--config-dir DIR]

An MCP server on standard input and output with the tools of the editor that has
this folder open, for any agent that speaks MCP. It follows the editor through
restarts, and takes the next one that opens the folder.

Only tools that are known to change nothing are offered: selection, open files,
problems. Others are not listed, and refused if they are called all the same.

  --ide PORT          the editor to mirror, one of lockstep ls
  --allow-writes      all tools of the editor: diffs, opening, closing and saving
                      files, running code, and whatever else it has
  --quiet             say nothing on standard error
${LOG_HELP}
  --config-dir DIR    look in DIR/ide too

Examples:
  claude mcp add editor -- lockstep mcp
  lockstep mcp --allow-writes`;

/** To a person who has typed it. */
const FOR_AGENTS =
  "agents start this themselves, once they know of it: claude mcp add editor -- lockstep mcp. It waits for one here, until Ctrl+C.";

async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      ide: { type: "string" },
      "allow-writes": { type: "boolean", default: false },
      quiet: { type: "boolean", default: false },
      ...LOG_OPTIONS,
      "config-dir": { type: "string" },
    },
  });
  using log = openLog(values);
  const say = (text: string) => {
    log.note("said", text);
    if (!values.quiet && !values.verbose) console.error(printable(`lockstep: ${text}`));
  };
  const stopping = stopSignal();
  if (process.stdin.isTTY) say(FOR_AGENTS);
  await serveMcp({
    port: portNumber(values.ide),
    allowWrites: values["allow-writes"],
    find: { configDir: values["config-dir"], env: process.env },
    say,
    log,
    stopping,
  });
  return EXIT.ok;
}

export const command: Command = { help, run };
