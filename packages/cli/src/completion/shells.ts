import type { Flag } from "./flags.js";

export interface Completable {
  readonly name: string;
  readonly what: string;
  readonly flags: readonly Flag[];
  /** Words that may come behind it. */
  readonly words: readonly string[];
}

const names = (flags: readonly Flag[]) => flags.map(({ name }) => name).join(" ");
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

export function bash(commands: readonly Completable[]): string {
  const cases = commands.map(
    ({ name, flags, words }) =>
      `    ${name}) words="${[names(flags), ...words].join(" ").trim()}" ;;`,
  );
  return `# bash: eval "$(lockstep completion bash)"
_lockstep() {
  local word="\${COMP_WORDS[COMP_CWORD]}" command="\${COMP_WORDS[1]}" words
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="${commands.map(({ name }) => name).join(" ")} --help --version"
  else case "$command" in
${cases.join("\n")}
  esac; fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
  # A folder or a file where nothing else fits.
  [ \${#COMPREPLY[@]} -eq 0 ] && COMPREPLY=($(compgen -f -- "$word"))
}
complete -o filenames -F _lockstep lockstep
`;
}

export function zsh(commands: readonly Completable[]): string {
  const entry = (name: string, what: string) => quoted(`${name.replaceAll(":", "\\:")}:${what}`);
  const list = commands.map(({ name, what }) => `    ${entry(name, what)}`);
  const cases = commands.map(({ name, flags, words }) => {
    const args = flags.map((flag) =>
      quoted(
        `${flag.name}[${flag.what.replaceAll(/[[\]]/g, "")}]${flag.value ? `:${flag.value}:_files` : ""}`,
      ),
    );
    const rest = words.length > 0 ? quoted(`1:word:(${words.join(" ")})`) : quoted("*:file:_files");
    return `    ${name}) _arguments ${[...args, rest].join(" ")} ;;`;
  });
  return `#compdef lockstep
# zsh: eval "$(lockstep completion zsh)"
_lockstep() {
  local -a commands
  commands=(
${list.join("\n")}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    _files -/
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
${cases.join("\n")}
  esac
}
compdef _lockstep lockstep
`;
}

export function fish(commands: readonly Completable[]): string {
  const lines = commands.flatMap(({ name, what, flags, words }) => {
    const seen = `-n ${quoted(`__fish_seen_subcommand_from ${name}`)}`;
    return [
      `complete -c lockstep -n __fish_use_subcommand -a ${name} -d ${quoted(what)}`,
      ...flags.map(
        (flag) =>
          `complete -c lockstep ${seen} -l ${flag.name.slice(2)}${flag.value ? " -r" : ""} -d ${quoted(flag.what)}`,
      ),
      ...(words.length > 0
        ? [`complete -c lockstep ${seen} -f -a ${quoted(words.join(" "))}`]
        : []),
    ];
  });
  return `# fish: lockstep completion fish | source\n${lines.join("\n")}\n`;
}
