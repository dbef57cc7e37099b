import { type Command, EXIT, UsageError } from "./command.js";
import { VERSION } from "./version.js";

/** Loaded when called, so that no command pays for another. */
const COMMANDS: Readonly<Record<string, () => Promise<{ command: Command }>>> = {
  serve: () => import("./commands/serve.js"),
  ls: () => import("./commands/ls.js"),
  call: () => import("./commands/call.js"),
  verify: () => import("./commands/verify.js"),
};

const HELP = `lockstep: keeps editors and coding agents in step

  lockstep serve [folder]       serve a folder's files to agents
  lockstep ls                   list the editors that announce themselves
  lockstep call <tool> [json]   call a tool of a running editor
  lockstep verify               check an editor, or an agent, against the protocol

  lockstep <command> --help     more on a command, with examples
  lockstep --version`;

async function main([name, ...args]: readonly string[]): Promise<number> {
  if (name === undefined || name === "--help" || name === "-h" || name === "help") {
    console.log(HELP);
    return EXIT.ok;
  }
  if (name === "--version" || name === "-v") {
    console.log(VERSION);
    return EXIT.ok;
  }
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!load)
    throw new UsageError(
      `There is no command ${name}. Commands: ${Object.keys(COMMANDS).join(", ")}`,
    );
  const { command } = await load();
  if (args.includes("--help") || args.includes("-h")) {
    console.log(command.help);
    return EXIT.ok;
  }
  return command.run(args);
}

/** A mistake of the caller's is a sentence; a fault of ours is a stack. */
async function complain(error: unknown): Promise<number> {
  const { name, message, code } = error as Error & { code?: unknown };
  const usage =
    name === "UsageError" || (typeof code === "string" && code.startsWith("ERR_PARSE_ARGS"));
  const known = usage || name === "IdeError" || name === "SetupError" || name === "RpcError";
  const { printable } = await import("@lockstep/protocol");
  console.error(known ? printable(`lockstep: ${message}`) : error);
  return usage ? EXIT.usage : EXIT.failed;
}

process.exitCode = await main(process.argv.slice(2)).catch(complain);
