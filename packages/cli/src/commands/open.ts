import { parseArgs } from "node:util";
import { printable } from "@lockstep/protocol";
import { type Command, EXIT, UsageError } from "../command.js";
import { openBrowser } from "../editor/browser.js";
import { holdEditor } from "../editor/hold-editor.js";
import type { Announced } from "../editor/running-file.js";
import { stopSignal } from "../stop-signal.js";
import { workspace } from "../workspace.js";

const help = `lockstep [folder] [--no-open] [--json] [--config-dir DIR]

Opens the editor on a folder, in the browser, until it is stopped by Ctrl+C.
Without a folder it is the current one. If the editor runs on that folder already,
that one is opened.

Agents connect to it: type claude in its terminal, or claude --ide in another one.

  --no-open           print the address instead of opening a browser; it works once,
                      within ten minutes
  --json              print one line of JSON when ready, and nothing else
  --config-dir DIR    announce in DIR/ide instead of ~/.claude/ide

Your browser is the one that $BROWSER names, or the system's own. Unsaved work is
kept when the editor stops, and is there again at the next start.

Examples:
  lockstep
  lockstep ~/project
  lockstep ~/project --no-open --json`;

interface OpenOptions {
  readonly browser: boolean;
  readonly json: boolean;
}

async function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      "no-open": { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      "config-dir": { type: "string" },
    },
  });
  if (positionals.length > 1) throw new UsageError("lockstep opens one folder");
  const folder = await workspace(positionals[0] ?? ".");
  const options = { browser: !values["no-open"], json: values.json };
  const stopping = stopSignal();
  const running = await holdEditor(
    { folder, configDir: values["config-dir"] },
    stopping,
    async ({ announced, launchUrl }) => {
      await present(announced, process.pid, launchUrl(), options);
      if (!options.json) console.log(`\nStop with Ctrl+C. ${AGENTS}`);
    },
  );
  if (running) {
    await present(running, running.pid, running.url, options);
    if (!options.json) console.log("It is running already, in another terminal.");
  }
  return EXIT.ok;
}

const AGENTS = "Agents connect from the editor's terminal, or by claude --ide in this folder.";

/** Shows the page, and says where it is. The address is secret until it is used. */
async function present(
  { port, lockFile, workspaceFolders }: Announced,
  pid: number,
  url: string,
  { browser, json }: OpenOptions,
): Promise<void> {
  if (json) console.log(JSON.stringify({ url, port, lockFile, pid, workspaceFolders }));
  const opened = browser && (await openBrowser(url));
  if (json) return;
  const folder = printable(workspaceFolders[0] ?? "");
  if (opened) console.log(`Lockstep has ${folder} open in your browser.`);
  else if (browser) console.log(`No browser could be opened for ${folder}. Open this address:`);
  else console.log(`Lockstep has ${folder} open. Open this address, which works once:`);
  if (!opened) console.log(`\n  ${url}`);
}

export const command: Command = { help, run };
