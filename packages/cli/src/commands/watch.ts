import { parseArgs } from "node:util";
import { chooseIde, findIdes } from "@lockstep/client";
import { printable } from "@lockstep/protocol";
import { type Command, EXIT } from "../command.js";
import { COMMON_OPTIONS, LOG_HELP, noteIdes, openLog } from "../common-options.js";
import { jsonText } from "../json-text.js";
import { paints } from "../paint.js";
import { portNumber } from "../port-number.js";
import { stopSignal } from "../stop-signal.js";
import { describeEvent } from "../watch/describe-event.js";
import { Screen } from "../watch/screen.js";
import { watchIde } from "../watch/watch-ide.js";

const help = `lockstep watch [--ide PORT] [--json] [--config-dir DIR]

Shows what an editor tells agents, as it happens: the selection, mentions, problems,
changes of its tools. It connects as an agent does, under the name lockstep-watch,
and asks nothing of the editor but its list of tools. Without --ide it is the editor
that this terminal belongs to, or that has the current folder open. An editor that
restarts is waited for. Ctrl+C ends it.

  --ide PORT          the editor, one of lockstep ls
  --json              one line of JSON for each event, with what came on the wire
  --quiet             no line below the events with what is open now
${LOG_HELP}
  --config-dir DIR    look in DIR/ide too

Examples:
  lockstep watch
  lockstep watch --json | jq -r 'select(.event == "selection_changed").params.filePath'`;

async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: { ...COMMON_OPTIONS, ide: { type: "string" } },
  });
  const configDir = values["config-dir"];
  using log = openLog(values);
  const ides = await findIdes({ configDir });
  noteIdes(log, ides);
  const ide = chooseIde(ides, { port: portNumber(values.ide) });
  const stopping = new AbortController();
  void stopSignal().then(() => stopping.abort());
  // Nobody reads any more, as after `| head`.
  process.stdout.on("error", () => stopping.abort());
  const live = process.stdout.isTTY === true && process.env.TERM !== "dumb" && !values.quiet;
  const screen = new Screen(process.stdout, paints(process.stdout), printable(ide.name), live);
  const cwd = process.cwd();
  try {
    await watchIde(ide, {
      configDir,
      signal: stopping.signal,
      onMessage: (direction, text) => log.note(direction, text),
      onEvent: (event) => {
        if (values.json) process.stdout.write(`${jsonText(event)}\n`);
        else screen.add(new Date(event.time), describeEvent(event, cwd));
      },
    });
  } catch (error) {
    if (!stopping.signal.aborted) throw error;
  } finally {
    if (!values.json) screen.end();
  }
  return EXIT.ok;
}

export const command: Command = { help, run };
