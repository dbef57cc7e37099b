import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { SUBPROTOCOL } from "@lockstep/protocol";
import { WebSocketServer } from "ws";
import { Journal } from "../journal.js";
import { AgentLine } from "./agent-line.js";
import { announce } from "./announcement.js";

export interface ScriptedIdeOptions {
  /** The folder that holds `ide/`, where the agent looks. */
  readonly configDir: string;
  /** The folder that the agent works in, by its real path. */
  readonly folder: string;
}

/**
 * An editor that only plays its part, for an agent under test. It lets everybody in, because what
 * an agent does wrong is to be seen and not refused: so it knows nothing that is worth having.
 */
export class ScriptedIde implements AsyncDisposable {
  readonly lines = new Journal<AgentLine>();
  readonly token = randomUUID();
  readonly #http: Server;
  #lockFile = "";

  private constructor() {
    this.#http = createServer((_request, response) => response.writeHead(426).end());
    const sockets = new WebSocketServer({
      noServer: true,
      perMessageDeflate: false,
      handleProtocols: (offered) => (offered.has(SUBPROTOCOL) ? SUBPROTOCOL : false),
    });
    this.#http.on("upgrade", (request, stream, head) => {
      sockets.handleUpgrade(request, stream, head, (socket) =>
        this.lines.add(new AgentLine(socket, request.headers)),
      );
    });
  }

  static async start({ configDir, folder }: ScriptedIdeOptions): Promise<ScriptedIde> {
    const ide = new ScriptedIde();
    ide.#http.listen(0, "127.0.0.1");
    await once(ide.#http, "listening");
    const { port, token } = ide;
    ide.#lockFile = await announce({ configDir, folder, port, token });
    return ide;
  }

  get port(): number {
    return (this.#http.address() as AddressInfo).port;
  }

  get lockFile(): string {
    return this.#lockFile;
  }

  /** What an editor adds to the environment of its terminals. */
  get environment(): Record<string, string> {
    return { CLAUDE_CODE_SSE_PORT: String(this.port), ENABLE_IDE_INTEGRATION: "true" };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#lockFile, { force: true });
    for (const line of this.lines.entries) line.drop();
    this.#http.close();
    this.#http.closeAllConnections();
  }
}
