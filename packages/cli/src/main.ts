import { statSync } from "node:fs";
import { EXIT, UsageError } from "./command.js";
import { COMMANDS, HELP } from "./command-list.js";
import { VERSION } from "./version.js";

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
  // What is behind "--" is another program's.
  const own = args.slice(0, args.includes("--") ? args.indexOf("--") : undefined);
  if (own.includes("--help") || own.includes("-h")) {
    console.log(command.help);
    return EXIT.ok;
  }
  return command.run(args);
}

/** The command that a line names; a line that names none opens the editor. */
async function meant([name, ...rest]: readonly string[]) {
  if (name === undefined) return { ...(await COMMANDS.open()), args: [] };
  if (isCommand(name)) return { ...(await COMMANDS[name]()), args: rest };
  if (name.startsWith("-") || isFolder(name))
    return { ...(await COMMANDS.open()), args: [name, ...rest] };
  const { nearest } = await import("./nearest.js");
  const near = nearest(name, Object.keys(COMMANDS));
  const hint = near
    ? `Did you mean lockstep ${near}?`
    : `Commands: ${Object.keys(COMMANDS).join(", ")}`;
  throw new UsageError(`There is no command ${name}, and no such folder. ${hint}`);
}

function isCommand(name: string): name is keyof typeof COMMANDS {
  return Object.hasOwn(COMMANDS, name);
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
