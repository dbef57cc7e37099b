import { once } from "node:events";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { ask, DoorScene, enter, originOf, SCRIPT, socketTo } from "./scene.js";

describe("a launch address", () => {
  it("becomes a cookie that no script and no other site gets, and then the page", async () => {
    await using scene = await DoorScene.open();
    const door = await scene.door();
    const { pathname, search } = new URL(door.launchUrl());
    const launched = await ask(door, pathname + search);
    expect(launched).toMatchObject({ status: 303, headers: { location: "/" }, body: "" });
    const [cookie = ""] = launched.headers["set-cookie"] ?? [];
    expect(cookie).toMatch(
      new RegExp(
        `^lockstep-${door.port}=[\\w-]{43}; HttpOnly; SameSite=Strict; Path=/; Max-Age=\\d+$`,
      ),
    );
    const page = await ask(door, "/", { headers: { cookie: cookie.split(";")[0] ?? "" } });
    expect(page.status).toBe(200);
    expect(page.body).toContain("<title>Page</title>");
    expect(page.headers["cache-control"]).toBe("no-store");
  });

  it("works once", async () => {
    await using scene = await DoorScene.open();
    const door = await scene.door();
    const { pathname, search } = new URL(door.launchUrl());
    expect((await ask(door, pathname + search)).status).toBe(303);
    const again = await ask(door, pathname + search);
    expect(again.status).toBe(401);
    expect(again.headers["set-cookie"]).toBeUndefined();
    expect(again.body).toContain("lockstep");
  });

  it("is not used up by a look at its headers", async () => {
    await using scene = await DoorScene.open();
    const door = await scene.door();
    const { pathname, search } = new URL(door.launchUrl());
    expect((await ask(door, pathname + search, { method: "HEAD" })).status).toBe(401);
    expect((await ask(door, pathname + search)).status).toBe(303);
  });

  it("that was used takes a browser with a key to the page all the same", async () => {
    await using scene = await DoorScene.open();
    const door = await scene.door();
    const headers = await enter(door);
    const again = await ask(door, "/?launch=used", { headers });
    expect(again).toMatchObject({ status: 303, headers: { location: "/" } });
    expect(again.headers["set-cookie"]?.[0]).toContain(headers.cookie);
  });

  it("is to be had by whoever knows the door's secret", async () => {
    await using scene = await DoorScene.open();
    const door = await scene.door();
    const headers = { "x-lockstep-secret": door.secret };
    const answer = await ask(door, "/launch", { method: "POST", headers });
    expect(answer.status).toBe(200);
    const { pathname, search, origin } = new URL(answer.body);
    expect(origin).toBe(originOf(door));
    expect((await ask(door, pathname + search)).status).toBe(303);
  });

  it("on another name of this machine leads to the one that has the cookie", async () => {
    await using scene = await DoorScene.open();
    const door = await scene.door();
    const answer = await ask(door, "/", { headers: { host: `localhost:${door.port}` } });
    expect(answer).toMatchObject({ status: 303, headers: { location: `${originOf(door)}/` } });
  });
});

describe("a browser with a key", () => {
  it("is alive, and one without is not", async () => {
    await using scene = await DoorScene.open();
    const door = await scene.door();
    const headers = await enter(door);
    expect(await ask(door, "/alive", { headers })).toMatchObject({ status: 204, body: "" });
    expect((await ask(door, "/alive")).status).toBe(401);
  });

  it("gets the page's files with their types, small, and kept for good if their name says so", async () => {
    await using scene = await DoorScene.open();
    const door = await scene.door();
    const { cookie } = await enter(door);
    const script = await ask(door, "/assets/main-1a2b.js", { headers: { cookie } });
    expect(script.body).toBe(SCRIPT);
    expect(script.headers).toMatchObject({
      "content-type": "text/javascript; charset=utf-8",
      "cache-control": "private, max-age=31536000, immutable",
      vary: "Accept-Encoding",
    });
    const icon = await ask(door, "/icon.svg", { headers: { cookie } });
    expect(icon.headers).toMatchObject({
      "content-type": "image/svg+xml; charset=utf-8",
      "cache-control": "no-cache",
    });
    const unpack = { br: brotliDecompressSync, gzip: gunzipSync };
    for (const encoding of ["br", "gzip"] as const) {
      const answer = await fetch(`${originOf(door)}/assets/main-1a2b.js`, {
        headers: { cookie, "accept-encoding": `identity, ${encoding};q=0.8` },
      });
      expect(answer.headers.get("content-encoding")).toBe(encoding);
      expect(Number(answer.headers.get("content-length"))).toBeLessThan(SCRIPT.length / 10);
      // Node's fetch has unpacked it.
      expect(await answer.text()).toBe(SCRIPT);
      expect(unpack[encoding]).toBeTypeOf("function");
    }
  });

  it("gets the files of a page that was built anew meanwhile", async () => {
    await using scene = await DoorScene.open();
    const door = await scene.door();
    const headers = await enter(door);
    expect((await ask(door, "/assets/new-3c4d.js", { headers })).status).toBe(404);
    await writeFile(join(scene.folder, "page", "assets", "new-3c4d.js"), "export {};");
    expect(await ask(door, "/assets/new-3c4d.js", { headers })).toMatchObject({
      status: 200,
      body: "export {};",
    });
  });

  it("sends long messages and fetches long answers, each once", async () => {
    await using scene = await DoorScene.open();
    const door = await scene.door();
    const headers = { ...(await enter(door)), origin: originOf(door) };
    const body = JSON.stringify({ text: "ü".repeat(1_000_000) });
    const { body: id } = await ask(door, "/body", { method: "POST", headers, body });
    expect(scene.bodies.take(id)).toBe(body);
    const answer = scene.bodies.put(body);
    expect(await ask(door, `/body/${answer}`, { headers })).toMatchObject({ status: 200, body });
    expect((await ask(door, `/body/${answer}`, { headers })).status).toBe(404);
  });

  it("has a socket", async () => {
    await using scene = await DoorScene.open();
    const door = await scene.door();
    const socket = await socketTo(door, { ...(await enter(door)), origin: originOf(door) });
    socket.send("hello");
    const [message] = await once(socket, "message");
    expect(String(message)).toBe("hello");
    const closed = once(socket, "close");
    await door.close();
    expect((await closed)[0]).toBe(1001);
  });
});

describe("a door that is opened again", () => {
  it("has the same port and knows the same browsers, by digests that only this user can read", async () => {
    await using scene = await DoorScene.open();
    const first = await scene.door();
    const headers = await enter(first);
    await first.close();
    const state = join(scene.folder, "state");
    expect(await readdir(state)).toEqual(["door.json"]);
    expect((await stat(join(state, "door.json"))).mode & 0o777).toBe(0o600);
    const kept = await readFile(join(state, "door.json"), "utf8");
    expect(kept).not.toContain(headers.cookie.split("=")[1]);
    const second = await scene.door();
    expect(second.port).toBe(first.port);
    expect((await ask(second, "/alive", { headers })).status).toBe(204);
  });

  it("trusts no old key if a stranger has the port: pages have shown it there", async () => {
    await using scene = await DoorScene.open();
    const first = await scene.door();
    const [, key] = (await enter(first)).cookie.split("=");
    await first.close();
    const stranger = createServer().listen(first.port, "127.0.0.1");
    await once(stranger, "listening");
    const second = await scene.door();
    stranger.close();
    expect(second.port).not.toBe(first.port);
    const headers = { cookie: `lockstep-${second.port}=${key}` };
    expect((await ask(second, "/alive", { headers })).status).toBe(401);
  });

  it("starts afresh after a file that it did not write", async () => {
    await using scene = await DoorScene.open();
    for (const text of [
      "",
      "{",
      "null",
      '{"port":0,"keys":[]}',
      '{"port":80,"keys":[{"digest":""}]}',
    ]) {
      await writeFile(join(scene.folder, "state", "door.json"), text);
      const door = await scene.door();
      expect(door.port).toBeGreaterThanOrEqual(10_000);
      await door.close();
    }
  });
});

describe("a picture of the project", () => {
  it("is given to those with a key, as nothing but a picture", async () => {
    await using scene = await DoorScene.open();
    const door = await scene.door();
    const bytes = Buffer.from("GIF89a");
    scene.pictures.set("file:///a%20b.gif", { type: "image/gif", bytes });
    const path = `/picture?uri=${encodeURIComponent("file:///a%20b.gif")}&changed=1`;
    expect((await ask(door, path)).status).toBe(401);
    const headers = await enter(door);
    const answer = await ask(door, path, { headers });
    expect(answer).toMatchObject({ status: 200, body: "GIF89a" });
    expect(answer.headers).toMatchObject({
      "content-type": "image/gif",
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
      "cross-origin-resource-policy": "same-origin",
    });
    expect((await ask(door, "/picture?uri=file:///other", { headers })).status).toBe(404);
    expect((await ask(door, "/picture", { headers })).status).toBe(404);
    expect((await ask(door, path, { headers, method: "POST" })).status).toBe(405);
  });
});
