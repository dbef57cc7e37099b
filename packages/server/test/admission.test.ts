import { readdir, readFile } from "node:fs/promises";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { rawRequest, UPGRADE } from "./raw-http.js";
import { Scene } from "./scene.js";
import { tokenOf } from "./wire-agent.js";

const AUTH = "X-Claude-Code-Ide-Authorization";

async function openDoor(options = {}) {
  const scene = await Scene.open();
  const server = await scene.serve(options);
  const host = `Host: 127.0.0.1:${server.port}`;
  const auth = `${AUTH}: ${tokenOf(server)}`;
  const ask = (...lines: string[]) => rawRequest(server.port, lines);
  return {
    scene,
    server,
    host,
    auth,
    ask,
    [Symbol.asyncDispose]: () => scene[Symbol.asyncDispose](),
  };
}

describe("who is let in", () => {
  it("an agent with the token, by either name of the machine", async () => {
    await using door = await openDoor();
    const { server, host, auth, ask } = door;
    expect((await ask(host, ...UPGRADE, auth)).status).toBe(101);
    expect((await ask(`Host: localhost:${server.port}`, ...UPGRADE, auth)).status).toBe(101);
  });

  it("selects the subprotocol mcp where it is offered, among others too", async () => {
    await using door = await openDoor();
    const { host, auth, ask } = door;
    const offered = await ask(host, ...UPGRADE, auth, "Sec-WebSocket-Protocol: foo, mcp");
    expect(offered.head.toLowerCase()).toContain("sec-websocket-protocol: mcp");
    for (const lines of [[], ["Sec-WebSocket-Protocol: foo"]]) {
      const reply = await ask(host, ...UPGRADE, auth, ...lines);
      expect(reply.status).toBe(101);
      expect(reply.head.toLowerCase()).not.toContain("sec-websocket-protocol");
    }
  });

  it("requires the subprotocol where the host says so", async () => {
    await using door = await openDoor({ subprotocol: "required" });
    const { host, auth, ask } = door;
    expect((await ask(host, ...UPGRADE, auth)).status).toBe(400);
    expect((await ask(host, ...UPGRADE, auth, "Sec-WebSocket-Protocol: mcp")).status).toBe(101);
  });

  it("declines compression", async () => {
    await using door = await openDoor();
    const { host, auth, ask } = door;
    const reply = await ask(host, ...UPGRADE, auth, "Sec-WebSocket-Extensions: permessage-deflate");
    expect(reply.status).toBe(101);
    expect(reply.head.toLowerCase()).not.toContain("permessage-deflate");
  });
});

describe("who is not", () => {
  it("a web page, with the token or without: 403 before the upgrade", async () => {
    await using door = await openDoor();
    const { host, auth, ask } = door;
    for (const origin of ["https://evil.example", "null", "http://127.0.0.1", ""]) {
      for (const lines of [[], [auth]]) {
        expect((await ask(host, ...UPGRADE, ...lines, `Origin: ${origin}`)).status).toBe(403);
      }
    }
  });

  it("a name that was rebound to this machine: 403", async () => {
    await using door = await openDoor();
    const { server, auth, ask } = door;
    for (const name of ["evil.test", "0.0.0.0", "[::]", "[::1]", "127.0.0.1.evil.test"]) {
      expect((await ask(`Host: ${name}:${server.port}`, ...UPGRADE, auth)).status).toBe(403);
    }
    expect((await ask("Host: 127.0.0.1", ...UPGRADE, auth)).status).toBe(403);
    expect((await ask(`Host: 127.0.0.1:${server.port + 1}`, ...UPGRADE, auth)).status).toBe(403);
  });

  it("a request with a missing or doubled Host, or a doubled token: 4xx", async () => {
    await using door = await openDoor();
    const { host, auth, ask } = door;
    expect((await ask(...UPGRADE, auth)).status).toBe(400);
    expect((await ask(host, host, ...UPGRADE, auth)).status).toBe(400);
    expect((await ask(host, ...UPGRADE, auth, auth)).status).toBe(401);
  });

  it("a wrong token: 401, with one body for all", async () => {
    await using door = await openDoor();
    const { server, host, ask } = door;
    const token = tokenOf(server);
    const last = token.at(-1) === "0" ? "1" : "0";
    const wrong = [
      "",
      "x",
      token.slice(1),
      `${token}x`,
      token.slice(0, -1) + last,
      "x".repeat(8000),
    ];
    const replies = [await ask(host, ...UPGRADE)];
    for (const attempt of wrong) replies.push(await ask(host, ...UPGRADE, `${AUTH}: ${attempt}`));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([401]));
    expect(new Set(replies.map(({ body }) => body)).size).toBe(1);
    expect(replies[0]?.body).not.toContain(token);
  });

  it("another path: 404; the two that agents use are open", async () => {
    await using door = await openDoor();
    const { server, host, auth } = door;
    const ask = async (path: string) =>
      (await rawRequest(server.port, [host, ...UPGRADE, auth], { path })).status;
    expect(await ask("/mcp")).toBe(101);
    expect(await ask("/else")).toBe(404);
  });

  it("a request without an upgrade: 426, but 403 for a web page", async () => {
    await using door = await openDoor();
    const { host, auth, ask } = door;
    const plain = await ask(host, auth);
    expect(plain.status).toBe(426);
    expect(plain.head.toLowerCase()).toContain("upgrade: websocket");
    expect((await ask(host, "Origin: https://evil.example")).status).toBe(403);
    expect((await ask("Host: evil.test")).status).toBe(403);
  });

  it("anybody on another address of this machine: nothing listens there", async () => {
    await using door = await openDoor();
    const { server, host, auth } = door;
    const others = Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .map(({ address }) => address)
      .filter((address) => address !== "127.0.0.1" && !address.startsWith("fe80"));
    for (const address of ["127.0.0.2", "::1", ...others]) {
      const attempt = rawRequest(server.port, [host, ...UPGRADE, auth], { host: address });
      await expect(attempt).rejects.toThrow(/ECONNREFUSED|EADDRNOTAVAIL|EHOSTUNREACH|ENETUNREACH/);
    }
  });

  it("is told apart from a host's own page, which may be let in by name", async () => {
    await using door = await openDoor({
      allowedOrigins: ["https://ide.example"],
      allowedHosts: ["ide.example"],
    });
    const { host, auth, ask } = door;
    expect((await ask(host, ...UPGRADE, auth, "Origin: https://ide.example")).status).toBe(101);
    expect((await ask("Host: ide.example", ...UPGRADE, auth)).status).toBe(101);
    expect((await ask(host, ...UPGRADE, auth, "Origin: https://ide.example.evil")).status).toBe(
      403,
    );
  });

  it("and a hundred wrong tokens end the token's life with this run", async () => {
    await using door = await openDoor();
    const { scene, server, host, ask } = door;
    const token = tokenOf(server);
    for (let attempt = 0; attempt < 100; attempt++) {
      await ask(host, ...UPGRADE, `${AUTH}: guess-${attempt}`);
    }
    expect((await ask(host, ...UPGRADE, `${AUTH}: ${token}`)).status).toBe(101);
    await server.stop();
    const next = await scene.serve();
    expect(tokenOf(next)).not.toBe(token);
    expect(next.port).not.toBe(server.port);
  });
});

it("the token stands in the lock file and the lease, and nowhere else on the disk", async () => {
  await using door = await openDoor();
  const { scene, server } = door;
  const token = tokenOf(server);
  const names = await readdir(scene.home, { recursive: true, withFileTypes: true });
  const holding = [];
  for (const entry of names.filter((name) => name.isFile())) {
    const text = await readFile(join(entry.parentPath, entry.name), "utf8");
    if (text.includes(token)) holding.push(entry.name);
  }
  expect(holding).toHaveLength(2);
  expect(holding).toContain(`${server.port}.lock`);
  expect(holding).toContainEqual(expect.stringMatching(/-0\.json$/));
});
