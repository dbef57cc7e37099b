import { realpath } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { parseArgs } from "node:util";
import { type Ide, IdeError } from "@lockstep/client";
import { printable } from "@lockstep/protocol";
import type { Command } from "../command.js";
import { LOG_HELP, LOG_OPTIONS, noteIdes, openLog } from "../common-options.js";
import { portNumber } from "../port-number.js";
import { Progress } from "../progress.js";
import { commandEnvironment } from "../run/command-environment.js";
import { splitCommandLine } from "../run/command-line.js";
import { findEditor } from "../run/find-editor.js";
import { Guard } from "../run/guard.js";
import { type HeadlessEditor, startHeadless } from "../run/headless-editor.js";
import { runCommand } from "../run/run-command.js";

const help = `lockstep run [--ide PORT] [--quiet] [--config-dir DIR] [--] [command [argument...]]

Runs a command in this terminal, connected to an editor; without one it runs claude.
If an editor has this folder open, it is that one. If none has, Lockstep's own is
started without a browser, its address is printed, and it ends with the command;
unsaved work in it is kept for the next time. Where the command draws over the
address, lockstep in another terminal opens the page.

The command gets CLAUDE_CODE_SSE_PORT, and proxies are told to leave loopback alone.
Its exit code is the answer: 128 + n if signal n ended it, 127 if it is not there.
What Lockstep itself has to say goes to standard error.

  --ide PORT          the editor to take, one of lockstep ls
  --quiet             say nothing but errors
${LOG_HELP}
  --config-dir DIR    use DIR instead of ~/.claude, for the command as well

Examples:
  lockstep run
  lockstep run -- claude --continue
  lockstep run --quiet -- claude --permission-mode manual`;

const OPTIONS = {
  ide: { type: "string" },
  quiet: { type: "boolean", short: "q", default: false },
  ...LOG_OPTIONS,
  "config-dir": { type: "string" },
} as const;

async function run(args: readonly string[]): Promise<number> {
  const line = splitCommandLine(args, OPTIONS);
  const { values } = parseArgs({ args: [...line.own], options: OPTIONS });
  const command = line.command.length > 0 ? line.command : ["claude"];
  const configDir = values["config-dir"] && resolve(values["config-dir"]);
  using log = openLog(values);
  const say = (text: string) => {
    log.note("said", text);
    if (!values.quiet && !values.verbose) console.error(printable(`lockstep: ${text}`));
  };
  const env = { ...process.env, ...(configDir ? { CLAUDE_CONFIG_DIR: configDir } : {}) };
  const folder = await realpath(process.cwd());

  const found = await findEditor({
    port: portNumber(values.ide),
    folder,
    env,
    onFound: (ides) => noteIdes(log, ides),
  });
  using guard = new Guard();
  if (found) {
    const { ide, why, others } = found;
    say(`${command[0]} connects to ${nameOf(ide)}: ${why}.`);
    if (others.length > 0)
      say(`${others.map(nameOf).join(", ")} would fit as well; take it by --ide PORT.`);
    return await runCommand(command, commandEnvironment(ide.port, configDir, env), guard);
  }
  using progress = new Progress(values.quiet);
  progress.say("Starting an editor…");
  const editor = await startHeadless({ folder, configDir, env, guard });
  progress.end();
  try {
    await checkPlace(editor, env);
    say(
      `No editor has ${folder} open, so one was started. Its page, by an address that works once:`,
    );
    if (!values.quiet) console.error(`\n  ${editor.url}\n`);
    return await runCommand(command, commandEnvironment(editor.port, configDir, env), guard);
  } finally {
    await editor.stop();
  }
}

const nameOf = ({ name, port }: Ide) => `${name} on port ${port}`;

/** An editor that was there before may announce itself where the command does not look. */
async function checkPlace({ pid, lockFile }: HeadlessEditor, env: NodeJS.ProcessEnv) {
  if (pid !== null || (await findEditor({ port: undefined, folder: process.cwd(), env }))) return;
  const place = dirname(dirname(lockFile));
  throw new IdeError(
    "none-found",
    `Lockstep runs on this folder already, and announces itself in ${place}. Try: lockstep run --config-dir ${place}`,
  );
}

export const command: Command = { help, run };
