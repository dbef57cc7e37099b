import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { titled, whyNoOtherUser } from "../../../server/test/attacks/needs.js";
import { portOwner } from "./port-owner.js";

const NOBODY = 65_534;
const reason = whyNoOtherUser();

/** Listens as that user; answers the port. */
async function listenAs(user: number, host: string, port = 0): Promise<number> {
  const server = createServer();
  onTestFinished(() => void server.close());
  process.seteuid?.(user);
  server.listen(port, host);
  await once(server, "listening").finally(() => process.seteuid?.(0));
  return (server.address() as AddressInfo).port;
}

describe.skipIf(reason)(titled("the owner of a port", reason), () => {
  it("is who listens at 127.0.0.1, and nobody who has the port at another address", async () => {
    for (const [owner, other] of [
      [0, NOBODY],
      [NOBODY, 0],
    ] as const) {
      const first = await listenAs(owner, "127.0.0.1");
      await listenAs(other, "127.0.0.2", first);
      expect(await portOwner(first)).toBe(owner);
      const second = await listenAs(other, "127.0.0.2");
      await listenAs(owner, "127.0.0.1", second);
      expect(await portOwner(second)).toBe(owner);
      await listenAs(other, "::1", second);
      expect(await portOwner(second)).toBe(owner);
      expect(await portOwner(await listenAs(owner, "0.0.0.0"))).toBe(owner);
      expect(await portOwner(await listenAs(owner, "::"))).toBe(owner);
      expect(await portOwner(await listenAs(owner, "127.0.0.3"))).toBeNull();
    }
  });
});
