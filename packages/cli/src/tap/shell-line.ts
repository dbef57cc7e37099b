/** A command that comes to our entrance, as a line to type in a shell. */
export function shellLine(
  command: readonly string[],
  entrance: Readonly<Record<string, string>>,
  configDir: string | undefined,
  env: Readonly<NodeJS.ProcessEnv>,
): string {
  const proxied = Object.keys(env).some((name) => /^(https?|all)_proxy$/i.test(name));
  const variables = Object.entries({
    ...(configDir === undefined ? {} : { CLAUDE_CONFIG_DIR: configDir }),
    ...entrance,
  }).filter(([name]) => proxied || name.toLowerCase() !== "no_proxy");
  const assignments = variables.map(([name, value]) => `${name}=${quoted(value)}`);
  return [...assignments, ...command.map(quoted)].join(" ");
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
