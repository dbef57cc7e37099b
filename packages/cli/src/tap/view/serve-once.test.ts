import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { titled, whyNoOtherUser } from "../../../../server/test/attacks/needs.js";
import { serveOnce } from "./serve-once.js";

const NOBODY = 65_534;
const reason = whyNoOtherUser();

/** The first line that the address answers to a connection of this user's. */
async function askAs(user: number, url: string): Promise<string> {
  const { hostname, port, host, pathname } = new URL(url);
  process.seteuid?.(user);
  const socket = connect({ port: Number(port), host: hostname });
  await once(socket, "connect").finally(() => process.seteuid?.(0));
  socket.write(`GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  const [chunk] = await once(socket, "data");
  socket.destroy();
  return String(chunk).split("\r\n")[0] ?? "";
}

describe.skipIf(reason)(titled("the address of a recording's page", reason), () => {
  it("gives another user nothing, and is not used up by that", async () => {
    await using page = await serveOnce("<p>private</p>");
    expect(await askAs(NOBODY, page.url)).toBe("HTTP/1.1 403 Forbidden");
    expect(await askAs(0, page.url)).toBe("HTTP/1.1 200 OK");
    expect(await askAs(0, page.url)).toBe("HTTP/1.1 410 Gone");
  });
});
