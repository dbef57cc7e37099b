import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { isAnotherUsers } from "@lockstep/workbench";

/** A page on 127.0.0.1, for whoever comes first with its address. */
export interface OnceServed extends AsyncDisposable {
  readonly url: string;
  /** Resolves when the page was given out. */
  readonly served: Promise<void>;
}

const HEADERS = {
  "Cache-Control": "no-store",
  "Content-Security-Policy": "frame-ancestors 'none'",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
} as const;

/**
 * Gives a page out once. The address cannot be guessed, and is worth nothing after its use; nor is it
 * to another user of this machine, who may have seen it on the browser's command line.
 */
export async function serveOnce(html: string): Promise<OnceServed> {
  const secret = randomBytes(32).toString("base64url");
  let given = false;
  let done: () => void = () => {};
  const served = new Promise<void>((resolve) => {
    done = resolve;
  });
  const server = createServer({ headersTimeout: 5_000, requestTimeout: 5_000 });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.on("request", async (request, response) => {
    const refuse = (status: number, message: string) =>
      response
        .writeHead(status, { ...HEADERS, "Content-Type": "text/plain", Connection: "close" })
        .end(`${message}\n`);
    const { host } = request.headersDistinct;
    // A name that was bent to point here is not this address.
    if (host?.length !== 1 || host[0] !== `127.0.0.1:${port}`)
      return refuse(403, "This host is not served.");
    if (request.method !== "GET") return refuse(405, "This page can only be looked at.");
    if (!equal(request.url ?? "", `/${secret}`)) return refuse(404, "There is no such page.");
    if (await isAnotherUsers(request.socket)) return refuse(403, "This page is another user's.");
    if (given) return refuse(410, "This address was used. Run lockstep tap --view again.");
    given = true;
    response.writeHead(200, {
      ...HEADERS,
      "Content-Type": "text/html; charset=utf-8",
      Connection: "close",
    });
    response.end(html);
    // Also when the browser goes away in the middle.
    response.once("close", done);
    return undefined;
  });
  return {
    url: `http://127.0.0.1:${port}/${secret}`,
    served,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function equal(given: string, expected: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
