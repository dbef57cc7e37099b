import { createServer, type IncomingMessage, type Server, STATUS_CODES } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { SUBPROTOCOL } from "@lockstep/protocol";
import { type WebSocket, WebSocketServer } from "ws";
import { type AdmissionRules, type Refusal, refuseRequest, refuseUpgrade } from "./admission.js";

/** Room for a proposal of 50 MB in JSON's escapes. */
const LARGEST_MESSAGE = 100 * 1024 * 1024;
/** Many times what an agent makes of one message; each piece costs memory of its own. */
const MOST_FRAGMENTS = 16 * 1024;

/**
 * Connections that have not shown the token yet. An agent does so within a millisecond of its coming;
 * with more than these, the one that has waited longest goes, so that a crowd shuts no agent out.
 */
const MOST_WAITING = 512;
/** Where connections wait until Node takes them; a full one makes an agent try again a second later. */
const BACKLOG = 4096;
/** For one that is closed after the upgrade to hear why. */
const GOODBYE_MS = 1_000;

/** Ports below Linux's range for outgoing connections: nothing takes one while an editor restarts. */
const STEADY_PORTS = { first: 10_000, last: 32_767 };
const TRIES = 64;

export interface DoorOptions {
  readonly onConnection: (socket: WebSocket, stream: Duplex) => void;
  /**
   * Asked about everybody who is let in, before the upgrade is answered: which subprotocol is
   * selected. By default `mcp` where it is offered. A refusal is answered instead.
   */
  readonly onKnock?: (request: IncomingMessage) => Promise<Selected | Refusal | undefined>;
  readonly onBadToken: () => void;
  /** Told of a fault of the listening socket, such as no file descriptor being left. */
  readonly onFault: (error: unknown) => void;
}

export interface Selected {
  /** Empty for none. */
  readonly subprotocol: string;
}

const WEB_SOCKET = { noServer: true, perMessageDeflate: false, clientTracking: false } as const;

/** What every server of the protocol selects. */
const selectMcp = (offered: Set<string>) => (offered.has(SUBPROTOCOL) ? SUBPROTOCOL : false);

/** The listening socket on 127.0.0.1, and who is let through it. */
export class Door {
  readonly #options: DoorOptions;
  readonly #http: Server;
  /** What was selected for a request whose upgrade is being answered, where {@link selectMcp} does not. */
  readonly #selected = new WeakMap<IncomingMessage, Selected>();
  readonly #agents = new WebSocketServer({
    ...WEB_SOCKET,
    handleProtocols: (offered, request) => {
      const selected = this.#selected.get(request);
      return selected ? selected.subprotocol || false : selectMcp(offered);
    },
    maxPayload: LARGEST_MESSAGE,
    maxFragments: MOST_FRAGMENTS,
    // By the outbox, which knows whether the agent reads them.
    autoPong: false,
  });
  /** Those who are told by a close code that they are not let in: they have nothing to say. */
  readonly #strangers = new WebSocketServer({
    ...WEB_SOCKET,
    handleProtocols: selectMcp,
    maxPayload: 1,
    autoPong: false,
  });
  /** In the order of their coming. */
  readonly #waiting = new Set<Duplex>();
  readonly #rules: Promise<AdmissionRules>;
  #open: (rules: AdmissionRules) => void = () => {};

  constructor(options: DoorOptions) {
    this.#options = options;
    this.#rules = new Promise((resolve) => {
      this.#open = resolve;
    });
    // A peer that is slow to say who it is must not hold a connection for long.
    this.#http = createServer({
      headersTimeout: 5_000,
      requestTimeout: 5_000,
      connectionsCheckingInterval: 1_000,
    });
    this.#http.on("connection", (stream) => this.#await(stream));
    this.#http.on("request", async (request, response) => {
      const { status, message } = refuseRequest(request, await this.#rules) ?? UPGRADE_ONLY;
      response.writeHead(status, { ...headersOf(status), "Content-Type": "text/plain" });
      response.end(`${message}\n`);
    });
    this.#http.on("upgrade", (request, stream, head) => this.#upgrade(request, stream, head));
  }

  /**
   * From now on requests are answered. Agents that lost their editor knock as soon as its port is
   * bound, which is before its token is settled: they wait here.
   */
  open(rules: AdmissionRules): void {
    this.#open(rules);
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
    for (const stream of this.#waiting) stream.destroy();
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
        this.#http.on("error", this.#options.onFault);
        resolve(this.#port);
      };
      this.#http.once("error", failed);
      this.#http.once("listening", listening);
      this.#http.listen({ port, host: "127.0.0.1", exclusive: true, backlog: BACKLOG });
    });
  }

  #await(stream: Duplex): void {
    this.#waiting.add(stream);
    stream.once("close", () => this.#waiting.delete(stream));
    const [longest] = this.#waiting;
    if (this.#waiting.size > MOST_WAITING) longest?.destroy();
  }

  async #upgrade(request: IncomingMessage, stream: Duplex, head: Buffer): Promise<void> {
    // Until ws takes over, a reset by the peer would otherwise end the process.
    const ignore = () => {};
    stream.on("error", ignore);
    const refusal = refuseUpgrade(request, await this.#rules);
    if (refusal) {
      if (refusal.status === 401) this.#options.onBadToken();
      if (refusal.closeCode === undefined) refuse(stream, refusal);
      else this.#turnAway(request, stream, head, refusal);
      return;
    }
    const { onKnock } = this.#options;
    if (onKnock) {
      const answer = await whileThere(stream, onKnock(request));
      if (answer && "status" in answer) return refuse(stream, answer);
      if (answer) this.#selected.set(request, answer);
    }
    this.#agents.handleUpgrade(request, stream, head, (socket) => {
      stream.off("error", ignore);
      this.#waiting.delete(stream);
      this.#options.onConnection(socket, stream);
    });
  }

  /** Upgrades only to say no in the words of a WebSocket. Still a stranger: it counts as waiting. */
  #turnAway(request: IncomingMessage, stream: Duplex, head: Buffer, refusal: Refusal): void {
    this.#strangers.handleUpgrade(request, stream, head, (socket) => {
      // Whatever it sends, and that may be no WebSocket frame at all, is none of our business.
      socket.on("error", () => {});
      socket.close(refusal.closeCode, refusal.message);
      const impatient = setTimeout(() => stream.destroy(), GOODBYE_MS);
      stream.once("close", () => clearTimeout(impatient));
    });
  }
}

/**
 * Waits, and meanwhile lets the connection close should the other side hang up: that is noticed only by
 * reading, and nothing may be taken from what it says.
 */
async function whileThere<T>(stream: Duplex, waiting: Promise<T>): Promise<T> {
  const look = () => void stream.read(0);
  const leave = () => stream.destroy();
  stream.on("readable", look);
  stream.on("end", leave);
  try {
    return await waiting;
  } finally {
    stream.off("readable", look);
    stream.off("end", leave);
    // Node takes note of a listener's leaving a moment later; only then can ws begin to read.
    await new Promise((resolve) => setImmediate(resolve));
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
