import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import { noFreePort } from "../../errors.js";
import { Lease, sweepLocks } from "../../node/lease.js";
import { lockFolders, lockPath, removeLock, writeLock } from "../../node/lock-file.js";
import { stateFolder } from "../../node/state-folder.js";
import type { Refusal } from "./admission.js";
import { Door, type Selected } from "./door.js";
import { terminalEnvironment } from "./environment.js";

export interface EntranceOptions {
  /** What agents call the editor that is behind it. */
  readonly ideName: string;
  /**
   * The folders that agents choose it by. With none, only an agent finds it that was told its port:
   * so it does not compete with the editor that it stands before.
   */
  readonly workspaceFolders: readonly string[];
  /** Whether the next run has the same port and token, so that agents find it again; by default not. */
  readonly keep?: boolean;
  /** The folder that holds `ide/`; by default `$CLAUDE_CONFIG_DIR`, else `~/.claude`. */
  readonly configDir?: string;
  /** Decides before the upgrade, so that an agent learns at once that there is nobody behind it. */
  readonly onKnock?: (request: IncomingMessage) => Promise<Selected | Refusal | undefined>;
  /** Somebody with the token. Pings are not answered: that is up to whoever is behind. */
  readonly onAgent: (socket: WebSocket, request: IncomingMessage) => void;
  /** Told of faults of the listening socket. */
  readonly report: (problem: unknown) => void;
}

export interface Entrance extends AsyncDisposable {
  readonly port: number;
  readonly token: string;
  readonly lockFiles: readonly string[];
  /** The variables by which an agent comes to this entrance and no other. */
  environment(base?: Readonly<NodeJS.ProcessEnv>): Record<string, string>;
  /** What is behind it is called otherwise now, has other folders, or is back. */
  announce(editor: Pick<EntranceOptions, "ideName" | "workspaceFolders">): Promise<void>;
  /** Nobody is behind it for now: removes the lock files; who is in stays. */
  withdraw(): Promise<void>;
  /** Removes the lock files, lets nobody in any more, and drops who is in. */
  close(): Promise<void>;
}

const NOBODY_BEHIND: Refusal = { status: 502, message: "There is nobody behind this door." };

/**
 * The way in for agents, without an editor behind it: a door that asks for a token which nobody else
 * has, and the lock file that announces it. For what stands between an agent and an editor.
 */
export async function openEntrance(options: EntranceOptions): Promise<Entrance> {
  const { configDir, onKnock, onAgent, report } = options;
  const folders = await lockFolders(configDir, process.env);
  const requests = new WeakMap<Duplex, IncomingMessage>();
  const inside = new Set<WebSocket>();
  const door: Door = new Door({
    onFault: report,
    onBadToken: () => void endpoint.distrust().catch(report),
    onKnock: async (request) => {
      requests.set(request.socket, request);
      return onKnock?.(request).catch((problem) => {
        report(problem);
        return NOBODY_BEHIND;
      });
    },
    onConnection: (socket, stream) => {
      const request = requests.get(stream);
      if (!request) return socket.terminate();
      inside.add(socket);
      socket.once("close", () => inside.delete(socket));
      onAgent(socket, request);
    },
  });
  const endpoint = await endpointOf(door, folders, options).catch(async (error) => {
    await door.close();
    throw error;
  });
  const { port, token } = endpoint;
  const hosts = new Set([`127.0.0.1:${port}`, `localhost:${port}`]);
  door.open({ token, hosts, origins: new Set(), subprotocol: "optional", badToken: "401" });
  const lockFiles = folders.map((folder) => lockPath(folder, port));
  const withdraw = async () => {
    for (const path of lockFiles) await removeLock(path, token);
  };
  const announce: Entrance["announce"] = async ({ ideName, workspaceFolders }) => {
    for (const path of lockFiles) {
      await writeLock(path, {
        pid: process.pid,
        workspaceFolders,
        ideName,
        transport: "ws",
        runningInWindows: process.platform === "win32",
        authToken: token,
      });
    }
  };
  const close = async () => {
    try {
      await withdraw();
    } finally {
      const shut = door.close();
      for (const socket of inside) socket.terminate();
      await shut;
      await endpoint.release();
    }
  };
  await announce(options).catch(async (error) => {
    await close().catch(report);
    throw error;
  });
  return {
    port,
    token,
    lockFiles,
    environment: (base = process.env) => terminalEnvironment(port, base),
    announce,
    withdraw,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Where agents come in, and by what token. */
type Endpoint = Pick<Lease, "port" | "token" | "distrust" | "release">;

async function endpointOf(
  door: Door,
  folders: readonly string[],
  { keep = false, workspaceFolders }: EntranceOptions,
): Promise<Endpoint> {
  if (!keep) {
    const port = await door.bind(0);
    if (port === false) throw noFreePort();
    return { port, token: randomUUID(), distrust: async () => {}, release: async () => {} };
  }
  const stateDir = stateFolder();
  await sweepLocks(stateDir, folders);
  return Lease.take({
    stateDir,
    face: "entrance",
    folders: workspaceFolders,
    tokenFormat: "uuid",
    bind: (port) => door.bind(port),
  });
}
