import { expect, it, vi } from "vitest";

/** The browser's socket, as far as the link uses it. */
class Socket extends EventTarget {
  static readonly all: Socket[] = [];
  constructor() {
    super();
    Socket.all.push(this);
  }
  send(): void {}
  close(): void {
    this.dispatchEvent(new Event("close"));
  }
}

it("A link on which something fails is made again, until all is there", async () => {
  vi.stubGlobal("WebSocket", Socket);
  vi.stubGlobal("location", { host: "127.0.0.1:1" });
  vi.stubGlobal("fetch", async () => ({ status: 204 }));
  const said = vi.spyOn(console, "error").mockImplementation(() => {});
  const { connect, linkStatus, onLink } = await import("../src/replica/link.js");
  let tries = 0;
  onLink(async () => {
    if (++tries === 1) throw new TypeError("Failed to fetch");
  });
  connect();
  Socket.all[0]?.dispatchEvent(new Event("open"));
  await expect.poll(() => Socket.all.length, { timeout: 20_000 }).toBe(2);
  expect(linkStatus()).not.toBe("open");
  Socket.all[1]?.dispatchEvent(new Event("open"));
  await expect.poll(linkStatus, { timeout: 20_000 }).toBe("open");
  expect(said).toHaveBeenCalledOnce();
  vi.unstubAllGlobals();
  said.mockRestore();
});
