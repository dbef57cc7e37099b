import { UsageError } from "../command.js";

export interface SshOptions {
  readonly host: string;
  /** How lockstep is started there; the shell there reads it. */
  readonly remoteCommand: string;
  readonly remoteConfigDir: string | undefined;
  /** Options of the person's own for ssh. */
  readonly options: readonly string[];
}

/** The system's ssh, with no terminal and no forwarding: only its input and output reach the other end. */
export function sshCommand({
  host,
  remoteCommand,
  remoteConfigDir,
  options,
}: SshOptions): readonly string[] {
  if (host.startsWith("-") || host === "")
    throw new UsageError(`${host || "An empty word"} is no host`);
  const configDir = remoteConfigDir === undefined ? "" : ` --config-dir ${quoted(remoteConfigDir)}`;
  return [
    "ssh",
    "-T",
    ...["-o", "ClearAllForwardings=yes"],
    ...["-o", "ServerAliveInterval=15", "-o", "ServerAliveCountMax=3"],
    ...options,
    "--",
    host,
    `${remoteCommand} relay join -${configDir}`,
  ];
}

/** One word for any shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
