import { realpath } from "node:fs/promises";
import { filePath } from "@lockstep/protocol";
import type { Core } from "../../core/core.js";
import { Lease, sweepLocks } from "../../node/lease.js";
import { lockFolders, lockPath, removeLock, writeLock } from "../../node/lock-file.js";
import { stateFolder } from "../../node/state-folder.js";
import type { Face, OpenFace } from "../face.js";
import type { AdmissionRules } from "./admission.js";
import { Connection, type TraceEvent } from "./connection.js";
import { Door } from "./door.js";
import { terminalEnvironment } from "./environment.js";
import type { KeepaliveTiming } from "./keepalive.js";

export interface ClaudeFaceOptions {
  /** What agents call this editor; by default the Editor's own name. */
  readonly ideName?: string;
  /** The folder that holds `ide/`; by default `$CLAUDE_CONFIG_DIR`, else `~/.claude`. */
  readonly configDir?: string;
  /** Where port and token are kept for the next run; by default the user's state folder. */
  readonly stateDir?: string;
  /**
   * The process that agents should take for the editor: it must live as long as the server, and a
   * terminal inside the editor should descend from it. By default this process.
   */
  readonly pid?: number;
  /** Names besides 127.0.0.1 and localhost, each with its port, that a request may be addressed to. */
  readonly allowedHosts?: readonly string[];
  /** Web origins that may connect. By default none: no agent sends one. */
  readonly allowedOrigins?: readonly string[];
  /** Whether a client has to offer the subprotocol `mcp`. By default it need not. */
  readonly subprotocol?: "optional" | "required";
  /** How often an idle agent is asked whether it is there, and how long it may take to say so. */
  readonly keepalive?: KeepaliveTiming | false;
  /** Sees every message of every agent. */
  readonly trace?: (event: TraceEvent) => void;
}

export interface OpenClaudeFace extends OpenFace {
  readonly port: number;
  readonly lockFiles: readonly string[];
}

const KEEPALIVE: KeepaliveTiming = { intervalMs: 5_000, timeoutMs: 3_000 };

/** Claude Code's dialect: a lock file, a WebSocket on loopback, MCP. */
export function claudeFace(options: ClaudeFaceOptions): Face<OpenClaudeFace> {
  return async (core) => {
    const { configDir, stateDir = stateFolder() } = options;
    const folders = await lockFolders(configDir, process.env);
    await sweepLocks(stateDir, folders);

    const connections = new Set<Connection>();
    let count = 0;
    const door: Door = new Door({
      rules: () => rules,
      onBadToken: () => void lease.distrust().catch(core.report),
      onConnection: (socket, stream) => {
        const { keepalive = KEEPALIVE, trace } = options;
        const serverName = options.ideName ?? core.editor.name;
        const settings = { serverName, keepalive, trace, number: ++count };
        const connection = new Connection(core, socket, stream, settings);
        connections.add(connection);
        void connection.closed.finally(() => connections.delete(connection));
      },
    });
    const lease = await Lease.take({
      stateDir,
      face: "claude",
      folders: await workspaceFolders(core),
      bind: (port) => door.bind(port),
    });
    const rules = admissionRules(lease, options);
    const lockFiles = folders.map((folder) => lockPath(folder, lease.port));
    const announce = async () => {
      const announcement = {
        pid: options.pid ?? process.pid,
        workspaceFolders: await workspaceFolders(core),
        ideName: options.ideName ?? core.editor.name,
        transport: "ws",
        runningInWindows: process.platform === "win32",
        authToken: lease.token,
      } as const;
      for (const path of lockFiles) await writeLock(path, announcement);
    };
    const withdraw = async () => {
      for (const path of lockFiles) await removeLock(path, lease.token);
    };
    const leave = async () => {
      await withdraw();
      const shut = door.close();
      await Promise.all([...connections].map((connection) => connection.stop()));
      await shut;
      await lease.release();
    };

    // Agents may connect as soon as they see the lock file, so it comes last.
    let announced = announce();
    await announced.catch(async (error) => {
      await leave();
      throw error;
    });
    const subscription = core.editor.subscribe((change) => {
      if (change.kind === "folders") announced = announced.then(announce).catch(core.report);
    });
    return {
      port: lease.port,
      lockFiles,
      environment: (base) => terminalEnvironment(lease.port, base),
      async close() {
        subscription[Symbol.dispose]();
        await announced;
        await leave();
      },
    };
  };
}

function admissionRules(lease: Lease, options: ClaudeFaceOptions): AdmissionRules {
  const own = [`127.0.0.1:${lease.port}`, `localhost:${lease.port}`];
  return {
    token: lease.token,
    hosts: new Set([...own, ...(options.allowedHosts ?? [])]),
    origins: new Set(options.allowedOrigins),
    subprotocol: options.subprotocol ?? "optional",
  };
}

/** Agents compare these with their own folder as the kernel names it, so links are resolved. */
async function workspaceFolders(core: Core): Promise<readonly string[]> {
  const paths = core.editor.folders.map(filePath).filter((path) => path !== null);
  return Promise.all(paths.map((path) => realpath(path).catch(() => path)));
}
