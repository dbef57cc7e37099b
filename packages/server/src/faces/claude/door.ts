import { createServer, type IncomingMessage, type Server, STATUS_CODES } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { SUBPROTOCOL } from "@lockstep/protocol";
import { type WebSocket, WebSocketServer } from "ws";
import { type AdmissionRules, type Refusal, refuseRequest, refuseUpgrade } from "./admission.js";

/** Room for a proposal of 50 MB in JSON's escapes. */
const LARGEST_MESSAGE = 100 * 1024 * 1024;

/** Ports below Linux's range for outgoing connections: nothing takes one while an editor restarts. */
const STEADY_PORTS = { first: 10_000, last: 32_767 };
const TRIES = 64;

export interface DoorOptions {
  /** Asked for each request, because the port is part of it. */
  readonly rules: () => AdmissionRules;
  readonly onConnection: (socket: WebSocket, stream: Duplex) => void;
  readonly onBadToken: () => void;
}

/** The listening socket on 127.0.0.1, and who is let through it. */
export class Door {
  readonly #options: DoorOptions;
  readonly #http: Server;
  readonly #webSockets = new WebSocketServer({
    noServer: true,
    maxPayload: LARGEST_MESSAGE,
    perMessageDeflate: false,
    clientTracking: false,
    handleProtocols: (offered) => (offered.has(SUBPROTOCOL) ? SUBPROTOCOL : false),
  });

  constructor(options: DoorOptions) {
    this.#options = options;
    // A peer that is slow to say who it is must not hold a connection for long.
    this.#http = createServer({
      headersTimeout: 5_000,
      requestTimeout: 5_000,
      connectionsCheckingInterval: 1_000,
    });
    this.#http.on("request", (request, response) => {
      const { status, message } = refuseRequest(request, options.rules()) ?? UPGRADE_ONLY;
      response.writeHead(status, { ...headersOf(status), "Content-Type": "text/plain" });
      response.end(`${message}\n`);
    });
    this.#http.on("upgrade", (request, stream, head) => this.#upgrade(request, stream, head));
  }

  /** Binds a port of 127.0.0.1; false if it is taken. 0 means any free one. */
  async bind(port: number): Promise<number | false> {
    if (this.#http.listening) return port === 0 ? this.#port : false;
    if (port !== 0) return this.#listen(port);
    for (let tries = 0; tries < TRIES; tries++) {
      const { first, last } = STEADY_PORTS;
      const candidate = first + Math.floor(Math.random() * (last - first + 1));
      if (await this.#listen(candidate)) return candidate;
    }
    return this.#listen(0);
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#http.close(resolve));
    this.#http.closeAllConnections();
    await closed;
  }

  get #port(): number {
    return (this.#http.address() as AddressInfo).port;
  }

  #listen(port: number): Promise<number | false> {
    return new Promise((resolve, reject) => {
      const failed = (error: NodeJS.ErrnoException) => {
        this.#http.off("listening", listening);
        if (error.code === "EADDRINUSE" || error.code === "EACCES") resolve(false);
        else reject(error);
      };
      const listening = () => {
        this.#http.off("error", failed);
        resolve(this.#port);
      };
      this.#http.once("error", failed);
      this.#http.once("listening", listening);
      this.#http.listen({ port, host: "127.0.0.1", exclusive: true });
    });
  }

  #upgrade(request: IncomingMessage, stream: Duplex, head: Buffer): void {
    // Until ws takes over, a reset by the peer would otherwise end the process.
    const ignore = () => {};
    stream.on("error", ignore);
    const refusal = refuseUpgrade(request, this.#options.rules());
    if (refusal) {
      if (refusal.status === 401) this.#options.onBadToken();
      const { closeCode, message } = refusal;
      if (closeCode === undefined) refuse(stream, refusal);
      else
        this.#webSockets.handleUpgrade(request, stream, head, (socket) =>
          socket.close(closeCode, message),
        );
      return;
    }
    this.#webSockets.handleUpgrade(request, stream, head, (socket) => {
      stream.off("error", ignore);
      this.#options.onConnection(socket, stream);
    });
  }
}

const UPGRADE_ONLY: Refusal = { status: 426, message: "This is a WebSocket server." };

function headersOf(status: Refusal["status"]): Record<string, string> {
  return status === 426
    ? { Connection: "close, Upgrade", Upgrade: "websocket" }
    : { Connection: "close" };
}

function refuse(stream: Duplex, { status, message }: Refusal): void {
  const body = `${message}\n`;
  const headers = {
    ...headersOf(status),
    "Content-Type": "text/plain",
    "Content-Length": body.length,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  stream.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${body}`);
  stream.once("finish", () => stream.destroy());
}
