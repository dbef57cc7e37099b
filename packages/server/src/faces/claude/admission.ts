import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { AUTH_HEADER, SUBPROTOCOL } from "@lockstep/protocol";

export interface AdmissionRules {
  readonly token: string;
  /** `host:port` of this server, and what else the host allows. */
  readonly hosts: ReadonlySet<string>;
  /** No agent sends an Origin; web pages do, and none is let in unless the host lists it. */
  readonly origins: ReadonlySet<string>;
  readonly subprotocol: "optional" | "required";
  /** Whether a wrong token is refused before the upgrade, or by a close right after it. */
  readonly badToken: "401" | "1008";
}

export interface Refusal {
  readonly status: 400 | 401 | 403 | 404 | 426 | 502;
  readonly message: string;
  /** Upgrade all the same, then close at once with this code. */
  readonly closeCode?: 1008;
}

/** Who asks for what, before anything else is looked at: keeps web pages out, rebound names too. */
export function refuseRequest(request: IncomingMessage, rules: AdmissionRules): Refusal | null {
  const { host, origin } = request.headersDistinct;
  if (host?.length !== 1) return { status: 400, message: "Exactly one Host header is needed." };
  if (!rules.hosts.has(host[0] ?? "")) return { status: 403, message: "This host is not served." };
  if (origin !== undefined && !(origin.length === 1 && rules.origins.has(origin[0] ?? ""))) {
    return { status: 403, message: "Web pages may not connect." };
  }
  return null;
}

/** A WebSocket upgrade: what {@link refuseRequest} asks, then path, token and subprotocol. */
export function refuseUpgrade(request: IncomingMessage, rules: AdmissionRules): Refusal | null {
  const refusal = refuseRequest(request, rules);
  if (refusal) return refusal;
  if (!PATHS.has(request.url ?? "")) return { status: 404, message: "Connect to / or /mcp." };
  const tokens = request.headersDistinct[AUTH_HEADER];
  if (tokens?.length !== 1 || !equal(tokens[0] ?? "", rules.token)) {
    return rules.badToken === "401" ? BAD_TOKEN : { ...BAD_TOKEN, closeCode: 1008 };
  }
  if (rules.subprotocol === "required" && !offers(request, SUBPROTOCOL)) {
    return { status: 400, message: `Offer the subprotocol ${SUBPROTOCOL}.` };
  }
  return null;
}

const BAD_TOKEN: Refusal = { status: 401, message: "Invalid or missing authentication token" };

/** The CLI uses the first; the JetBrains plugin documents the second. */
const PATHS: ReadonlySet<string> = new Set(["/", "/mcp"]);

/** Takes as long for a wrong token as for a right one, whatever their lengths. */
function equal(given: string, expected: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

function offers(request: IncomingMessage, protocol: string): boolean {
  const offered = request.headers["sec-websocket-protocol"] ?? "";
  return offered.split(",").some((name) => name.trim() === protocol);
}
