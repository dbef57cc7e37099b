import { statSync } from "node:fs";
import { type Command, EXIT, UsageError } from "./command.js";
import { VERSION } from "./version.js";

const OPEN = () => import("./commands/open.js");

/** Loaded when called, so that no command pays for another. */
const COMMANDS: Readonly<Record<string, () => Promise<{ command: Command }>>> = {
  open: OPEN,
  demo: () => import("./commands/demo.js"),
  reset: () => import("./commands/reset.js"),
  serve: () => import("./commands/serve.js"),
  doctor: () => import("./commands/doctor.js"),
  ls: () => import("./commands/ls.js"),
  call: () => import("./commands/call.js"),
  verify: () => import("./commands/verify.js"),
};

const HELP = `lockstep: keeps editors and coding agents in step

  lockstep [folder]             open the editor on a folder, in the browser
  lockstep demo                 a tour with a scripted agent on a sample project
  lockstep reset [folder]       forget what Lockstep keeps of a folder
  lockstep serve [folder]       serve a folder's files to agents, without the editor
  lockstep doctor               say why an agent would or would not connect here
  lockstep ls                   list the editors that announce themselves
  lockstep call <tool> [json]   call a tool of a running editor
  lockstep verify               check an editor, or an agent, against the protocol

  lockstep <command> --help     more on a command, with examples
  lockstep open --help          more on lockstep [folder]
  lockstep --version

Examples:
  lockstep                      open the current folder; type claude in its terminal
  lockstep ~/project --no-open  print the address instead of opening a browser`;

async function main(line: readonly string[]): Promise<number> {
  const [name] = line;
  if (name === "--help" || name === "-h" || name === "help") {
    console.log(HELP);
    return EXIT.ok;
  }
  if (name === "--version" || name === "-v") {
    console.log(VERSION);
    return EXIT.ok;
  }
  const { command, args } = await meant(line);
  if (args.includes("--help") || args.includes("-h")) {
    console.log(command.help);
    return EXIT.ok;
  }
  return command.run(args);
}

/** The command that a line names; a line that names none opens the editor. */
async function meant([name, ...rest]: readonly string[]) {
  if (name === undefined) return { ...(await OPEN()), args: [] };
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (load) return { ...(await load()), args: rest };
  if (name.startsWith("-") || isFolder(name)) return { ...(await OPEN()), args: [name, ...rest] };
  const commands = Object.keys(COMMANDS).join(", ");
  throw new UsageError(`There is no command ${name}, and no such folder. Commands: ${commands}`);
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Errors whose message tells the person what to do. */
const SENTENCES = new Set(["IdeError", "SetupError", "RpcError", "WorkbenchError"]);

/** A mistake of the caller's is a sentence; a fault of ours is a stack. */
async function complain(error: unknown): Promise<number> {
  const { name, message, code } = error as Error & { code?: unknown };
  const usage =
    name === "UsageError" || (typeof code === "string" && code.startsWith("ERR_PARSE_ARGS"));
  const known = usage || SENTENCES.has(name);
  const { printable } = await import("@lockstep/protocol");
  console.error(known ? printable(`lockstep: ${message}`) : error);
  return usage ? EXIT.usage : EXIT.failed;
}

process.exitCode = await main(process.argv.slice(2)).catch(complain);
