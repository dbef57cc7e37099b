import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import type { Picture } from "../documents/pictures.js";
import type { Bodies } from "../windows/bodies.js";
import { comesFromThePage, type Refusal, refuseStranger } from "./admission.js";
import { BodyRoute } from "./body-route.js";
import { DoorFile, type KeptDoor } from "./door-file.js";
import { safetyHeaders } from "./headers.js";
import { Keys, STALE_MS } from "./keys.js";
import { Launches } from "./launches.js";
import { listen } from "./listen.js";
import { PageFiles } from "./page-files.js";
import { Routes } from "./routes.js";
import { digestOf, newSecret } from "./secrets.js";

/** Longer messages travel by HTTP, so this is many times what a window sends. */
const LARGEST_MESSAGE = 2 * 1024 * 1024;
/** Each message may come in pieces; each piece costs memory of its own. */
const MOST_FRAGMENTS = 1024;
/** Windows of one person. */
const MOST_SOCKETS = 64;
/** Connections that have not shown a key yet. With more, the one that has waited longest goes. */
const MOST_WAITING = 256;
/** For windows to hear that the door closes. */
const GOODBYE_MS = 500;

export interface DoorOptions {
  /** The built page. */
  readonly pageFolder: string;
  /** A private folder of this workspace; port and keys are kept in it. */
  readonly stateDir: string;
  /** Where long messages wait to be taken. */
  readonly bodies: Bodies;
  /** A picture that a window shows, by its URI; null if there is none. */
  readonly picture: (uri: string) => Promise<Picture | null>;
  /** Told of each window that comes. */
  readonly onSocket: (socket: WebSocket) => void;
  /** Told of faults that nobody can do anything about now. */
  readonly report: (problem: unknown) => void;
}

/**
 * The listening socket that the page comes from and talks to, on 127.0.0.1. A browser gets in with
 * an address that works once, and then holds a key in a cookie; any other web page, and any other
 * user of this machine, stays outside.
 */
export class Door {
  /** The same as in the last run if it was free, so that open pages find it again. */
  readonly port: number;
  /** For another process of this user: shown in a header of `POST /launch`, it gets an address. */
  readonly secret: string;
  readonly #options: DoorOptions;
  readonly #http: Server;
  readonly #keys: Keys;
  readonly #renewal: NodeJS.Timeout;
  readonly #routes: Routes;
  readonly #launches = new Launches();
  readonly #headers: Readonly<Record<string, string>>;
  readonly #sockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: LARGEST_MESSAGE,
    maxFragments: MOST_FRAGMENTS,
  });
  /** In the order of their coming. */
  readonly #waiting = new Set<Duplex>();

  static async open(options: DoorOptions): Promise<Door> {
    const files = await PageFiles.open(options.pageFolder);
    const http = createServer({
      // A peer that is slow to say who it is must not hold a connection for long.
      headersTimeout: 5_000,
      requestTimeout: 60_000,
      connectionsCheckingInterval: 1_000,
    });
    const file = new DoorFile(options.stateDir);
    const kept = await file.read();
    const port = await listen(http, kept?.port);
    // Open pages go on showing their keys at the old port, maybe to a stranger who has it now.
    const keys = kept?.port === port ? kept.keys : [];
    const save = (all: KeptDoor["keys"]) => file.write({ port, keys: all });
    try {
      await save(keys);
    } catch (error) {
      http.close();
      throw error;
    }
    files.warm().catch(options.report);
    return new Door(options, http, port, files, new Keys(keys, save));
  }

  private constructor(
    options: DoorOptions,
    http: Server,
    port: number,
    files: PageFiles,
    keys: Keys,
  ) {
    this.port = port;
    this.secret = newSecret();
    this.#options = options;
    this.#http = http;
    this.#keys = keys;
    this.#renewal = setInterval(() => void keys.renewHeld(), STALE_MS).unref();
    this.#headers = safetyHeaders(port);
    this.#routes = new Routes({
      port,
      keys,
      files,
      launches: this.#launches,
      bodies: new BodyRoute(options.bodies),
      picture: options.picture,
      secretDigest: digestOf(this.secret),
      launchUrl: () => this.launchUrl(),
    });
    http.on("error", options.report);
    http.on("connection", (stream) => this.#await(stream));
    http.on("request", (request, response) => void this.#answer(request, response));
    http.on("upgrade", (request, stream, head) => void this.#upgrade(request, stream, head));
  }

  /** An address that opens the page, once, within ten minutes. */
  launchUrl(): string {
    return `http://127.0.0.1:${this.port}/?launch=${this.#launches.create()}`;
  }

  /** Tells the windows, which will look for the next door at the same port. */
  async close(): Promise<void> {
    clearInterval(this.#renewal);
    const closed = new Promise((resolve) => this.#http.close(resolve));
    for (const socket of this.#sockets.clients) socket.close(1001);
    for (const stream of this.#waiting) stream.destroy();
    this.#http.closeIdleConnections();
    const impatient = setTimeout(() => {
      for (const socket of this.#sockets.clients) socket.terminate();
      this.#http.closeAllConnections();
    }, GOODBYE_MS);
    await closed;
    clearTimeout(impatient);
  }

  #await(stream: Duplex): void {
    this.#waiting.add(stream);
    stream.once("close", () => this.#waiting.delete(stream));
    const [longest] = this.#waiting;
    if (this.#waiting.size > MOST_WAITING) longest?.destroy();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const { status, headers, content, known } = await this.#routes.answer(request);
      if (known) this.#waiting.delete(request.socket);
      // What was not read of a request would have to be read before the next one on its connection.
      const end = request.complete ? {} : { Connection: "close" };
      response.writeHead(status, { ...this.#headers, ...headers, ...end });
      response.end(request.method === "HEAD" ? "" : content);
    } catch (problem) {
      // A request that breaks off in its middle is nobody's fault here.
      if (!request.destroyed) this.#options.report(problem);
      if (!response.headersSent) response.writeHead(500, this.#headers);
      response.end();
    }
  }

  async #upgrade(request: IncomingMessage, stream: Duplex, head: Buffer): Promise<void> {
    // Until ws takes over, a reset by the peer would otherwise end the process.
    const ignore = () => {};
    stream.on("error", ignore);
    try {
      const admitted = await this.#admit(request);
      if (typeof admitted !== "string") return this.#refuse(stream, admitted);
      if (this.#sockets.clients.size >= MOST_SOCKETS) return this.#refuse(stream, FULL);
      this.#welcome(request, stream, head, admitted);
      stream.off("error", ignore);
    } catch (problem) {
      this.#options.report(problem);
      stream.destroy();
    }
  }

  #welcome(request: IncomingMessage, stream: Duplex, head: Buffer, key: string): void {
    this.#sockets.handleUpgrade(request, stream, head, (socket) => {
      this.#waiting.delete(stream);
      socket.once("close", this.#keys.hold(key));
      // A window that breaks the protocol; ws closes it with the right code by itself.
      socket.on("error", () => {});
      this.#options.onSocket(socket);
    });
  }

  /** The key that a window shows, or why it may not come in. */
  async #admit(request: IncomingMessage): Promise<string | Refusal> {
    const stranger = await refuseStranger(request, this.port);
    if (stranger) return stranger;
    if (!comesFromThePage(request, this.port)) return NOT_THE_PAGE;
    if (request.url !== "/socket") return { status: 404, message: "Connect to /socket." };
    return (await this.#routes.keyOf(request)) ?? NO_KEY;
  }

  #refuse(stream: Duplex, { status, message }: Refusal): void {
    const body = `${message}\n`;
    const headers = {
      ...this.#headers,
      "Content-Type": "text/plain; charset=utf-8",
      "Content-Length": body.length,
      Connection: "close",
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    stream.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${body}`);
    stream.once("finish", () => stream.destroy());
  }
}

const NOT_THE_PAGE: Refusal = { status: 403, message: "Only the page may connect." };
const NO_KEY: Refusal = { status: 401, message: "This browser has no key." };
const FULL: Refusal = { status: 503, message: "Too many windows are open. Close some of them." };
