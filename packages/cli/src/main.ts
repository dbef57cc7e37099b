import { statSync } from "node:fs";
import { EXIT, UsageError } from "./command.js";
import { COMMANDS, HELP } from "./command-list.js";
import { VERSION } from "./version.js";

async function main(line: readonly string[]): Promise<number> {
  const [name] = line;
  const about = name === "help" ? line[1] : undefined;
  if (about !== undefined) return main([about, "--help"]);
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
  try {
    return await command.run(args);
  } catch (error) {
    throw await inOurWords(error, command.help);
  }
}

/** What Node says of a command line is made for programmers. */
async function inOurWords(error: unknown, help: string): Promise<unknown> {
  const { code, message } = error as NodeJS.ErrnoException;
  const [command] = /^lockstep(?: [a-z]+)?/.exec(help) ?? ["lockstep"];
  const word = /'(-[^' ,]*|[^']*)/.exec(message)?.[1] ?? "";
  switch (code) {
    case "ERR_PARSE_ARGS_UNKNOWN_OPTION":
      return withFlagMeant(word, help);
    case "ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL":
      return new UsageError(`${command} takes flags only, not ${word}: see ${command} --help`);
    case "ERR_PARSE_ARGS_INVALID_OPTION_VALUE":
      return new UsageError(
        message.includes("does not take")
          ? `${word} takes no value: see ${command} --help`
          : `${word} needs a value: see ${command} --help`,
      );
    default:
      return error;
  }
}

/** A flag that is not there is mostly a slip. */
async function withFlagMeant(flag: string, help: string): Promise<UsageError> {
  const { nearest } = await import("./nearest.js");
  const { flagsIn } = await import("./completion/flags.js");
  const flags = ["--help", ...flagsIn(help).map(({ name }) => name)];
  const near = nearest(flag, flags);
  const hint = near ? `Did you mean ${near}?` : `Flags: ${flags.join(", ")}`;
  return new UsageError(`There is no flag ${flag} here. ${hint}`);
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

/**
 * A mistake of the caller's is a sentence, and so is what the system refuses (a file, a port); a
 * fault of ours is a stack.
 */
async function complain(error: unknown): Promise<number> {
  const { name, message, code, syscall } = error as NodeJS.ErrnoException;
  const usage =
    name === "UsageError" || (typeof code === "string" && code.startsWith("ERR_PARSE_ARGS"));
  const known = usage || SENTENCES.has(name) || syscall !== undefined;
  const { printable } = await import("@lockstep/protocol");
  const { report } = await import("./fault-report.js");
  if (known) console.error(printable(`lockstep: ${message}`));
  else report(error);
  return usage ? EXIT.usage : EXIT.failed;
}

process.exitCode = await main(process.argv.slice(2)).catch(complain);
