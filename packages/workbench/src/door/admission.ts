import type { IncomingMessage } from "node:http";
import { isAnotherUsers } from "./peer-owner.js";

export interface Refusal {
  readonly status: 400 | 401 | 403 | 404 | 405 | 413 | 429 | 503;
  /** Never holds anything that the caller sent. */
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Before anything else is looked at: keeps other web pages out, rebound names, and other users. */
export async function refuseStranger(
  request: IncomingMessage,
  port: number,
): Promise<Refusal | null> {
  const { host, origin } = request.headersDistinct;
  if (host?.length !== 1) return { status: 400, message: "Exactly one Host header is needed." };
  if (host[0] !== `127.0.0.1:${port}`) return { status: 403, message: "This host is not served." };
  const foreign: Refusal = { status: 403, message: "Other web pages may not connect." };
  if (origin !== undefined && !isOwnOrigin(origin, port)) return foreign;
  // Another port of this machine is the same site to a browser, but it is not this page.
  const site = request.headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin" && site !== "none" && !isVisit(request)) {
    return foreign;
  }
  return (await isAnotherUsers(request.socket)) ? ANOTHER_USER : null;
}

const ANOTHER_USER: Refusal = {
  status: 403,
  message: "This editor belongs to another user. Start lockstep as the user of this browser.",
};

/** For what changes something: a browser then always says which page asks. */
export function comesFromThePage(request: IncomingMessage, port: number): boolean {
  return isOwnOrigin(request.headersDistinct.origin ?? [], port);
}

function isOwnOrigin(origin: readonly string[], port: number): boolean {
  return origin.length === 1 && origin[0] === `http://127.0.0.1:${port}`;
}

/** Somebody follows a link to the page, in a tab of its own. */
function isVisit({ method, url, headers }: IncomingMessage): boolean {
  return (
    method === "GET" &&
    (url === "/" || url?.startsWith("/?") === true) &&
    headers["sec-fetch-mode"] === "navigate" &&
    headers["sec-fetch-dest"] === "document"
  );
}
