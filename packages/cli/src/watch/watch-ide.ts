import { type ConnectOptions, connect, type Ide } from "@lockstep/client";
import { Notification } from "@lockstep/protocol";
import { type ToolsParams, toolChange, type WatchedEvent } from "./watched-event.js";

export interface WatchOptions {
  readonly configDir: string | undefined;
  readonly signal: AbortSignal;
  readonly onEvent: (event: WatchedEvent) => void;
  readonly onMessage?: ConnectOptions["onMessage"];
}

/** For an editor to say which tools it has now. */
const TOOLS_MS = 10_000;

/** Tells what an editor tells agents, until the signal fires. An editor that restarts is waited for. */
export async function watchIde(ide: Ide, options: WatchOptions): Promise<void> {
  const { configDir, signal, onEvent, onMessage } = options;
  const tell = (event: string, params: unknown) =>
    onEvent({ time: new Date().toISOString(), event, params });
  const connecting: ConnectOptions = {
    clientName: "lockstep-watch",
    signal,
    onMessage,
    reconnect: { delaysMs: FOREVER, find: { configDir } },
    onNotification: (method, params) => {
      // The list itself is told instead.
      if (method !== Notification.toolsListChanged) tell(method, params);
    },
  };
  const connection = await connect(ide, connecting);
  const about = () => ({ ...connection.server, port: connection.ide.port });
  let known: readonly string[] = [];
  const look = async () => {
    const listed = await connection.listTools({ timeoutMs: TOOLS_MS }).catch(() => null);
    // One that restarts at this moment will be asked again.
    if (!listed) return;
    const change: ToolsParams = toolChange(known, listed);
    known = change.tools;
    if (change.added.length + change.removed.length > 0) tell("tools", change);
  };
  connection.on(Notification.toolsListChanged, () => void look());
  connection.on("lost", () => tell("lost", about()));
  connection.on("restored", () => {
    tell("restored", about());
    void look();
  });
  tell("connected", about());
  await look();
  await new Promise<void>((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
    void connection.closed.then(resolve);
  });
  await connection.close();
}

/** At once, then more patiently, and for as long as somebody watches. */
const FOREVER: Iterable<number> = {
  *[Symbol.iterator]() {
    for (let delay = 0; ; delay = Math.min(5_000, delay * 2 || 250)) yield delay;
  },
};
