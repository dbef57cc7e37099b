import { realpath } from "node:fs/promises";
import { filePath } from "@lockstep/protocol";
import type { Core } from "../../core/core.js";
import { beyondLoopback } from "../../errors.js";
import { Lease, sweepLocks, type TokenFormat } from "../../node/lease.js";
import { lockFolders, lockPath, removeLock, writeLock } from "../../node/lock-file.js";
import { stateFolder } from "../../node/state-folder.js";
import type { Face, OpenFace } from "../face.js";
import type { AdmissionRules } from "./admission.js";
import { Connection, type TraceEvent } from "./connection.js";
import { Door } from "./door.js";
import { terminalEnvironment } from "./environment.js";
import { asTool, type HostTool } from "./host-tool.js";
import type { KeepaliveTiming } from "./keepalive.js";
import type { Dialect } from "./tool.js";
import { Toolbox } from "./toolbox.js";
import type { VaultOptions } from "./vault/vault-method.js";

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
  /** Whose words replies use where two documented editors differ. By default VS Code's. */
  readonly dialect?: Dialect;
  /** How a wrong token is refused: before the upgrade, or after it by close code 1008. */
  readonly badToken?: "401" | "1008";
  /** What tokens look like: a UUID, or 64 random bytes as JetBrains' document has it. */
  readonly tokenFormat?: TokenFormat;
  /** Only 127.0.0.1 is ever listened on; anything else is refused, not ignored. */
  readonly host?: string;
  /** Whether every selection is told as the active editor's too, and not only a change of files. */
  readonly activeEditorAlways?: boolean;
  /** The methods of the Obsidian document: readFile, writeFile and so on. */
  readonly vault?: VaultOptions;
  /** Tools of the host's own, besides those that its editor's abilities give. */
  readonly tools?: readonly HostTool[];
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
    const { configDir, stateDir = stateFolder(), host = "127.0.0.1" } = options;
    if (host !== "127.0.0.1" && host !== "localhost") throw beyondLoopback(host);
    const toolbox = new Toolbox((options.tools ?? []).map(asTool));
    const folders = await lockFolders(configDir, process.env);
    await sweepLocks(stateDir, folders);

    const connections = new Set<Connection>();
    let count = 0;
    const door: Door = new Door({
      onFault: core.report,
      onBadToken: () => void lease.distrust().catch(core.report),
      onConnection: (socket, stream) => {
        const connection = new Connection(core, socket, stream, {
          serverName: options.ideName ?? core.editor.name,
          toolbox,
          dialect: options.dialect ?? "vscode",
          activeEditorAlways: options.activeEditorAlways ?? false,
          vault: options.vault ?? {},
          keepalive: options.keepalive ?? KEEPALIVE,
          trace: options.trace,
          number: ++count,
        });
        connections.add(connection);
        void connection.closed.finally(() => connections.delete(connection));
      },
    });
    const lease = await Lease.take({
      stateDir,
      face: "claude",
      folders: await workspaceFolders(core),
      tokenFormat: options.tokenFormat ?? "uuid",
      bind: (port) => door.bind(port),
    }).catch(async (error) => {
      // The port may be bound by then, and nobody would be there to let it go.
      await door.close();
      throw error;
    });
    door.open(admissionRules(lease, options));
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
      try {
        await withdraw();
      } finally {
        // Even if the lock file stays: nobody may be left talking to a server that has stopped.
        const shut = door.close();
        await Promise.all([...connections].map((connection) => connection.stop()));
        await shut;
        await lease.release();
      }
    };

    // Agents may connect as soon as they see the lock file, so it comes last.
    const first = announce();
    let announced = first.catch(() => {});
    // Before the first is written: folders may change meanwhile.
    const subscription = core.subscribe((change) => {
      if (change.kind === "folders") announced = announced.then(announce).catch(core.report);
    });
    await first.catch(async (error) => {
      subscription[Symbol.dispose]();
      // The first failure is the one to mend; what cannot be tidied up follows from it.
      await leave().catch(core.report);
      throw error;
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
    badToken: options.badToken ?? "401",
  };
}

/** Agents compare these with their own folder as the kernel names it, so links are resolved. */
async function workspaceFolders(core: Core): Promise<readonly string[]> {
  const paths = core.editor.folders.map(filePath).filter((path) => path !== null);
  return Promise.all(paths.map((path) => realpath(path).catch(() => path)));
}
