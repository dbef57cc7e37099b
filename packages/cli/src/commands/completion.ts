import { TOOL_NAMES } from "@lockstep/client";
import { type Command, EXIT, UsageError } from "../command.js";
import { COMMANDS, HELP } from "../command-list.js";
import { commandsIn, flagsIn } from "../completion/flags.js";
import { bash, type Completable, fish, zsh } from "../completion/shells.js";

const SHELLS = { bash, zsh, fish };

const help = `lockstep completion <bash|zsh|fish>

Prints what makes a shell complete the commands of lockstep, their flags, and the
tools of lockstep call. Add the line to the shell's own start file.

Examples:
  eval "$(lockstep completion bash)"        in ~/.bashrc
  eval "$(lockstep completion zsh)"         in ~/.zshrc
  lockstep completion fish | source         in ~/.config/fish/config.fish`;

async function run(args: readonly string[]): Promise<number> {
  const [shell = "", ...rest] = args;
  if (!Object.hasOwn(SHELLS, shell) || rest.length > 0)
    throw new UsageError("completion takes one of bash, zsh, fish");
  process.stdout.write(SHELLS[shell as keyof typeof SHELLS](await completable()));
  return EXIT.ok;
}

async function completable(): Promise<readonly Completable[]> {
  const said = new Map(commandsIn(HELP).map(({ name, what }) => [name, what]));
  return Promise.all(
    Object.entries(COMMANDS).map(async ([name, load]) => ({
      name,
      what: said.get(name) ?? "",
      flags: flagsIn((await load()).command.help),
      words: wordsOf(name),
    })),
  );
}

function wordsOf(command: string): readonly string[] {
  if (command === "call") return TOOL_NAMES;
  return command === "completion" ? Object.keys(SHELLS) : [];
}

export const command: Command = { help, run };
