import { realpath } from "node:fs/promises";
import { parseArgs } from "node:util";
import { chooseIde, findIdes } from "@lockstep/client";
import { printable } from "@lockstep/protocol";
import { type Command, UsageError } from "../command.js";
import { LOG_HELP, LOG_OPTIONS, noteIdes, openLog } from "../common-options.js";
import type { Log } from "../log.js";
import { portNumber } from "../port-number.js";
import { joinRelay } from "../relay/join-relay.js";
import { listenForRelays } from "../relay/listen-for-relays.js";
import { type FolderPair, folderPair } from "../relay/path-map.js";
import { relayThrough } from "../relay/relay-through.js";
import type { Relaying } from "../relay/relaying.js";
import { sshCommand } from "../relay/ssh-command.js";
import { WatchedIde } from "../relay/watched-ide.js";
import { stopSignal } from "../stop-signal.js";

const help = `lockstep relay ssh HOST [--map LOCAL=REMOTE]... [-- ssh-option...]
lockstep relay exec [--map LOCAL=REMOTE]... -- command [argument...]
lockstep relay listen SOCKET [--map LOCAL=REMOTE]...
lockstep relay join SOCKET

Makes an editor of this machine reachable for agents elsewhere: on another host, in
a container, in a WSL distribution. There, an agent finds it as if it ran beside it,
and paths are translated both ways. Nothing listens but 127.0.0.1 at the agent's
end, with a token of its own; the relay ends with the connection.

  ssh      starts the agent's end on HOST by the system's ssh; lockstep is needed there
  exec     starts it by any command that passes input and output on, and runs lockstep
  listen   waits for it on a Unix socket that only you can open, to be mounted elsewhere
  join     is the agent's end itself: run it where SOCKET is mounted

  --map LOCAL=REMOTE  a folder here, and what it is called at the agent's end; several
                      may be given, the longest that fits counts. Without it the paths
                      are the same, and C:\\ is /mnt/c. What an agent asks for outside
                      of these folders is refused
  --ide PORT          the editor to relay, one of lockstep ls; by default the one that
                      has this folder open
  --remote-command CMD     how lockstep is started on HOST (default: lockstep)
  --remote-config-dir DIR  announce in DIR/ide there instead of ~/.claude/ide
  --config-dir DIR    look in DIR/ide too; with join, announce there
  --json              print one line of JSON when ready, and nothing else
  --quiet             say nothing but errors
${LOG_HELP}

Examples:
  lockstep relay ssh build.example --map ~/project=/srv/project
  lockstep relay exec -- docker exec -i web lockstep
  lockstep relay exec -- wsl.exe -d Debian lockstep
  lockstep relay listen ~/.lockstep/relay.sock --map ~/project=/srv/project
  lockstep relay join /run/lockstep/relay.sock`;

const OPTIONS = {
  map: { type: "string", multiple: true },
  ide: { type: "string" },
  "remote-command": { type: "string", default: "lockstep" },
  "remote-config-dir": { type: "string" },
  "config-dir": { type: "string" },
  json: { type: "boolean", default: false },
  quiet: { type: "boolean", default: false },
  ...LOG_OPTIONS,
} as const;

type Values = ReturnType<typeof parsed>["values"];

/** What each kind is given besides options, as it is to be typed. */
const KINDS: Readonly<Record<string, { readonly place: string | null; readonly usage: string }>> = {
  ssh: { place: "a host", usage: "lockstep relay ssh build.example" },
  exec: { place: null, usage: "lockstep relay exec -- docker exec -i web lockstep" },
  listen: { place: "a socket", usage: "lockstep relay listen ~/.lockstep/relay.sock" },
  join: { place: "a socket", usage: "lockstep relay join /run/lockstep/relay.sock" },
};

async function run([kind = "", ...args]: readonly string[]): Promise<number> {
  const form = Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined;
  if (!form)
    throw new UsageError("relay takes ssh, exec, listen or join: see lockstep relay --help");
  const end = args.includes("--") ? args.indexOf("--") : args.length;
  const rest = args.slice(end + 1);
  const { values, positionals } = parsed(args.slice(0, end));
  const [place = ""] = positionals;
  if (positionals.length !== (form.place ? 1 : 0))
    throw new UsageError(
      `relay ${kind} takes ${form.place ?? "a command behind --"}: ${form.usage}`,
    );
  const far = kind === "ssh" || kind === "exec";
  if (!far && rest.length > 0)
    throw new UsageError(`relay ${kind} takes no command: ${form.usage}`);
  using log = openLog(values);
  const stopping = stopSignal();
  if (kind === "join")
    return await joinRelay({
      place,
      configDir: values["config-dir"],
      stopping,
      ...manner(values, log),
    });
  const command = far ? farCommand(kind, place, rest, values) : [];
  const relaying = await relayingOf(values, stopping, log);
  using _watched = relaying.watched;
  if (!far) return await listenForRelays(place, relaying);
  return await relayThrough(command, kind === "ssh" ? `on ${place}` : "at the other end", relaying);
}

function parsed(args: readonly string[]) {
  return parseArgs({ args: [...args], allowPositionals: true, options: OPTIONS });
}

function farCommand(
  kind: string,
  host: string,
  rest: readonly string[],
  values: Values,
): readonly string[] {
  const remoteConfigDir = values["remote-config-dir"];
  if (kind === "ssh")
    return sshCommand({
      host,
      remoteCommand: values["remote-command"],
      remoteConfigDir,
      options: rest,
    });
  if (rest.length === 0)
    throw new UsageError(`relay exec takes a command behind --: ${KINDS.exec?.usage}`);
  return [
    ...rest,
    "relay",
    "join",
    "-",
    ...(remoteConfigDir ? ["--config-dir", remoteConfigDir] : []),
  ];
}

async function relayingOf(values: Values, stopping: Promise<void>, log: Log): Promise<Relaying> {
  const find = { configDir: values["config-dir"] };
  const pairs = values.map ? await realPairs(values.map.map(folderPair)) : null;
  const ides = await findIdes(find);
  noteIdes(log, ides);
  const ide = chooseIde(ides, { port: portNumber(values.ide) });
  const onMessage = (direction: string, text: string) => log.note(direction, text);
  return { watched: new WatchedIde(ide, find), pairs, stopping, onMessage, ...manner(values, log) };
}

/** An editor knows its folders without links, whatever --map calls them. */
async function realPairs(pairs: readonly FolderPair[]): Promise<readonly FolderPair[]> {
  const real = pairs.map(async ({ local, remote }) => ({
    local: await realpath(local).catch(() => local),
    remote,
  }));
  return [...(await Promise.all(real)), ...pairs];
}

function manner({ json, quiet, verbose }: Values, log: Log) {
  return {
    json,
    say: (text: string) => {
      log.note("said", text);
      if (!json && !quiet && !verbose) console.error(printable(text));
    },
  };
}

export const command: Command = { help, run };
