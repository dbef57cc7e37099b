import type { IncomingMessage } from "node:http";
import type { Picture } from "../documents/pictures.js";
import { comesFromThePage, type Refusal, refuseStranger } from "./admission.js";
import type { BodyRoute } from "./body-route.js";
import { CLOSED_PAGE, ONWARD_PAGE } from "./closed-page.js";
import { keyCookie, shownKeys } from "./cookie.js";
import type { Keys } from "./keys.js";
import type { Launches } from "./launches.js";
import type { PageFiles } from "./page-files.js";
import { matches } from "./secrets.js";

/** The header by which another `lockstep` of the same user asks for an address. */
export const SECRET_HEADER = "x-lockstep-secret";

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly content: string | Buffer;
  /** Whether the caller has shown that it may be here. */
  readonly known: boolean;
}

export interface RoutesOptions {
  readonly port: number;
  readonly launches: Launches;
  readonly keys: Keys;
  readonly files: PageFiles;
  readonly bodies: BodyRoute;
  readonly picture: (uri: string) => Promise<Picture | null>;
  readonly secretDigest: string;
  readonly launchUrl: () => string;
}

const READ: ReadonlySet<string> = new Set(["GET", "HEAD"]);
const NOT_THERE: Refusal = { status: 404, message: "There is nothing here." };
const NO_KEY: Refusal = {
  status: 401,
  message: "This browser has no key. Run lockstep in the folder again.",
};

/** What the door answers to requests; nothing but the launch is to be had without a key. */
export class Routes {
  readonly #options: RoutesOptions;

  constructor(options: RoutesOptions) {
    this.#options = options;
  }

  async answer(request: IncomingMessage): Promise<Reply> {
    const { port } = this.#options;
    const [path = "", query = ""] = split(request.url ?? "");
    // A person may type it: cookies belong to one name of this machine, and it is the other one.
    if (path === "/" && isAlias(request, port)) return redirect(`http://127.0.0.1:${port}/`);
    const stranger = await refuseStranger(request, port);
    if (stranger) return refused(stranger);
    if (path === "/launch") return this.#launch(request);
    if (path === "/body") return this.#receive(request);
    if (!READ.has(request.method ?? "")) return refused(wrongMethod("GET, HEAD"));
    if (path === "/" && query !== "") return this.#enter(request, query);
    const known = (await this.keyOf(request)) !== null;
    if (path === "/" && !known) return closed();
    if (!known) return refused(NO_KEY);
    if (path === "/alive") return { status: 204, headers: NO_STORE, content: "", known };
    if (path.startsWith("/body/")) return this.#hand(path.slice("/body/".length));
    if (path === "/picture") return this.#picture(query);
    return this.#file(request, path);
  }

  /** The key of ours that the browser shows; null if it has none. */
  async keyOf(request: IncomingMessage): Promise<string | null> {
    const { keys, port } = this.#options;
    let good: string | null = null;
    for (const key of shownKeys(request.headers.cookie, port)) {
      if (await keys.use(key)) good = key;
    }
    return good;
  }

  /** Turns a launch token into a key. A browser that has one already needs no token. */
  async #enter(request: IncomingMessage, query: string): Promise<Reply> {
    const { keys, launches, port } = this.#options;
    const tokens = new URLSearchParams(query).getAll("launch");
    const key = await this.keyOf(request);
    // Looking at an address is not yet opening it.
    const good = request.method === "GET" && tokens.length === 1 && launches.use(tokens[0] ?? "");
    if (!good && key === null) return closed();
    const cookie = { "Set-Cookie": keyCookie(port, key ?? (await keys.create())) };
    const site = request.headers["sec-fetch-site"];
    if (site === undefined || site === "none" || site === "same-origin")
      return redirect("/", cookie);
    const headers = { ...NO_STORE, ...HTML, ...cookie };
    return { status: 200, headers, content: ONWARD_PAGE, known: true };
  }

  /** An address for another `lockstep`, which has read the secret in a file of this user's. */
  async #launch(request: IncomingMessage): Promise<Reply> {
    const { secretDigest, launchUrl } = this.#options;
    if (request.method !== "POST") return refused(wrongMethod("POST"));
    const secrets = request.headersDistinct[SECRET_HEADER];
    if (secrets?.length !== 1 || !matches(secrets[0] ?? "", secretDigest)) return refused(NO_KEY);
    return { status: 200, headers: { ...NO_STORE, ...TEXT }, content: launchUrl(), known: true };
  }

  async #receive(request: IncomingMessage): Promise<Reply> {
    if (request.method !== "POST") return refused(wrongMethod("POST"));
    if (!comesFromThePage(request, this.#options.port)) {
      return refused({ status: 403, message: "Only the page may send." });
    }
    if ((await this.keyOf(request)) === null) return refused(NO_KEY);
    const received = await this.#options.bodies.receive(request);
    if (typeof received !== "string") return refused(received);
    return { status: 200, headers: { ...NO_STORE, ...TEXT }, content: received, known: true };
  }

  #hand(id: string): Reply {
    const text = this.#options.bodies.take(id);
    if (text === null) return refused(NOT_THERE);
    const headers = { ...NO_STORE, "Content-Type": "application/json; charset=utf-8" };
    return { status: 200, headers, content: text, known: true };
  }

  /** Bytes of the project's: opened as a page of its own, nothing of it may do anything. */
  async #picture(query: string): Promise<Reply> {
    const uri = new URLSearchParams(query).get("uri") ?? "";
    const picture = await this.#options.picture(uri).catch(() => null);
    if (!picture) return refused(NOT_THERE);
    const headers = {
      ...NO_STORE,
      "Content-Type": picture.type,
      "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
    };
    return { status: 200, headers, content: picture.bytes, known: true };
  }

  async #file(request: IncomingMessage, path: string): Promise<Reply> {
    const { files, port } = this.#options;
    const file = await files.get(path, request.headers["accept-encoding"]);
    if (!file) return refused(NOT_THERE);
    const key = path === "/" ? await this.keyOf(request) : null;
    // The browser keeps its cookie for as long as the page is in use.
    const cookie = key === null ? undefined : { "Set-Cookie": keyCookie(port, key) };
    const headers: Reply["headers"] = { ...file.headers, ...cookie };
    return { status: 200, headers, content: file.content, known: true };
  }
}

const NO_STORE = { "Cache-Control": "no-store" };
const HTML = { "Content-Type": "text/html; charset=utf-8" };
const TEXT = { "Content-Type": "text/plain; charset=utf-8" };

/** Path and query as they came; neither is decoded or made simpler. */
function split(url: string): readonly string[] {
  const mark = url.indexOf("?");
  return mark < 0 ? [url] : [url.slice(0, mark), url.slice(mark + 1)];
}

function isAlias({ method, headersDistinct }: IncomingMessage, port: number): boolean {
  const { host, origin } = headersDistinct;
  return (
    method === "GET" &&
    origin === undefined &&
    host?.length === 1 &&
    host[0] === `localhost:${port}`
  );
}

function wrongMethod(allowed: string): Refusal {
  return { status: 405, message: "That cannot be done here.", headers: { Allow: allowed } };
}

function refused({ status, message, headers }: Refusal): Reply {
  const all = { ...NO_STORE, ...TEXT, ...headers };
  return { status, headers: all, content: `${message}\n`, known: false };
}

function closed(): Reply {
  return { status: 401, headers: { ...NO_STORE, ...HTML }, content: CLOSED_PAGE, known: false };
}

function redirect(location: string, more: Readonly<Record<string, string>> = {}): Reply {
  const headers = { ...NO_STORE, Location: location, ...more };
  return { status: 303, headers, content: "", known: false };
}
