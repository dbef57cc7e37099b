import { once } from "node:events";
import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import { describe, expect, it } from "vitest";
import { ask, DoorScene, enter, originOf, rawStatus, socketTo, UPGRADE } from "./scene.js";

const FOREIGN = ["https://evil.example", "null", "http://localhost:1", "http://127.0.0.1:1", ""];

describe("another web page", () => {
  it("cannot open a socket, not even with the cookie", async () => {
    await using scene = await DoorScene.open();
    const door = await scene.door();
    const cookie = await enter(door);
    for (const origin of FOREIGN) {
      await expect(socketTo(door, { ...cookie, origin })).rejects.toThrow("403");
      await expect(socketTo(door, { origin })).rejects.toThrow("403");
    }
    await expect(socketTo(door, cookie)).rejects.toThrow("403");
  });

  it("cannot ask for anything, nor send", async () => {
    await using scene = await DoorScene.open();
    const door = await scene.door();
    const cookie = await enter(door);
    for (const origin of FOREIGN) {
      const headers = { ...cookie, origin };
      for (const path of ["/", "/alive", "/icon.svg", "/assets/main-1a2b.js", "/body/x"]) {
        expect((await ask(door, path, { headers })).status).toBe(403);
      }
      const sent = await ask(door, "/body", { method: "POST", headers, body: "{}" });
      expect(sent.status).toBe(403);
      expect(sent.headers["access-control-allow-origin"]).toBeUndefined();
      const preflight = await ask(door, "/body", { method: "OPTIONS", headers });
      expect(preflight.status).toBe(403);
    }
    // A form of an old browser that does not say where it comes from.
    expect((await ask(door, "/body", { method: "POST", headers: cookie, body: "" })).status).toBe(
      403,
    );
  });

  it("cannot load anything as a script, picture or frame; only a link to the page is followed", async () => {
    await using scene = await DoorScene.open();
    const door = await scene.door();
    const cookie = await enter(door);
    for (const site of ["cross-site", "same-site"]) {
      const from = { ...cookie, "sec-fetch-site": site };
      const script = { ...from, "sec-fetch-mode": "no-cors", "sec-fetch-dest": "script" };
      const frame = { ...from, "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe" };
      const link = { ...from, "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };
      const status = async (path: string, headers: Record<string, string>) =>
        (await ask(door, path, { headers })).status;
      expect(await status("/assets/main-1a2b.js", script)).toBe(403);
      expect(await status("/", frame)).toBe(403);
      expect(await status("/alive", link)).toBe(403);
      expect(await status("/", link)).toBe(200);
      expect((await ask(door, "/body", { method: "POST", headers: link })).status).toBe(403);
      const { pathname, search } = new URL(door.launchUrl());
      const launched = await ask(door, pathname + search, { headers: { ...link, cookie: "" } });
      // A redirect from there would come without the new cookie.
      expect(launched.status).toBe(200);
      expect(launched.body).toContain('http-equiv="refresh"');
      expect(launched.headers["set-cookie"]).toHaveLength(1);
    }
  });

  it("finds the same walls around every answer", async () => {
    await using scene = await DoorScene.open();
    const door = await scene.door();
    const cookie = await enter(door);
    const answers = [
      await ask(door, "/"),
      await ask(door, "/", { headers: cookie }),
      await ask(door, "/?launch=x"),
      await ask(door, "/assets/main-1a2b.js", { headers: cookie }),
      await ask(door, "/alive", { headers: cookie }),
      await ask(door, "/nothing", { headers: cookie }),
      await ask(door, "/", { headers: { origin: "https://evil.example" } }),
      await ask(door, "/", { method: "PUT" }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([401, 200, 401, 200, 204, 404, 403, 405]);
    for (const { headers } of answers) {
      const policy = String(headers["content-security-policy"]);
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("script-src 'self';");
      expect(policy).toContain(`connect-src 'self' ws://127.0.0.1:${door.port};`);
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain("base-uri 'none'");
      expect(policy).toContain("form-action 'none'");
      expect(headers).toMatchObject({
        "x-frame-options": "DENY",
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
      });
    }
  });
});

describe("a name that somebody else has bound to this machine", () => {
  it("is not served", async () => {
    await using scene = await DoorScene.open();
    const door = await scene.door();
    const { cookie } = await enter(door);
    const { port } = door;
    const hosts = [
      `evil.test:${port}`,
      `0.0.0.0:${port}`,
      `[::1]:${port}`,
      "127.0.0.1",
      "",
      "127.0.0.1:1",
    ];
    for (const host of hosts) {
      const visit = ["GET / HTTP/1.1", `Host: ${host}`, `Cookie: ${cookie}`];
      expect(await rawStatus(door, visit)).toBe(403);
      const lines = [`Host: ${host}`, `Cookie: ${cookie}`, `Origin: http://${host}`, ...UPGRADE];
      expect(await rawStatus(door, ["GET /socket HTTP/1.1", ...lines])).toBe(403);
    }
  });

  it("nor is a request without a host, or with two, or with two origins", async () => {
    await using scene = await DoorScene.open();
    const door = await scene.door();
    const { cookie } = await enter(door);
    const [host, origin] = [`Host: 127.0.0.1:${door.port}`, `Origin: ${originOf(door)}`];
    const key = `Cookie: ${cookie}`;
    const socket = ["GET /socket HTTP/1.1", ...UPGRADE, key];
    expect(await rawStatus(door, [...socket, host, origin])).toBe(101);
    expect(await rawStatus(door, [...socket, origin])).toBe(400);
    expect(await rawStatus(door, [...socket, host, host, origin])).toBe(400);
    expect(await rawStatus(door, [...socket, host, origin, origin])).toBe(403);
    expect(await rawStatus(door, [...socket, host, "Origin: https://evil.example", origin])).toBe(
      403,
    );
    expect(await rawStatus(door, [`GET http://evil.test/ HTTP/1.1`, host, key])).toBe(404);
  });

  it("and nothing listens on the other addresses of this machine", async () => {
    await using scene = await DoorScene.open();
    const door = await scene.door();
    const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
    const others = addresses.map(({ address }) => address).filter((one) => one !== "127.0.0.1");
    for (const host of ["127.0.0.2", ...others.filter((one) => !one.startsWith("fe80"))]) {
      const [error] = await once(connect({ port: door.port, host }), "error", {}).catch((e) => [e]);
      expect(error.code).toBe("ECONNREFUSED");
    }
  });
});

describe("somebody without a key", () => {
  it("gets nothing, whatever the cookie says", async () => {
    await using scene = await DoorScene.open();
    const door = await scene.door();
    const [name, key = ""] = (await enter(door)).cookie.split("=");
    const digit = key.endsWith("A") ? "B" : "A";
    const guesses = [
      "",
      key.slice(1),
      `${key}x`,
      key.slice(0, -1) + digit,
      "x".repeat(5_000),
      "%00",
    ];
    for (const guess of guesses) {
      const headers = { cookie: `${name}=${guess}`, origin: originOf(door) };
      expect((await ask(door, "/", { headers })).status).toBe(401);
      expect((await ask(door, "/icon.svg", { headers })).status).toBe(401);
      expect((await ask(door, "/body", { method: "POST", headers })).status).toBe(401);
      await expect(socketTo(door, headers)).rejects.toThrow("401");
    }
    const good = { cookie: `${name}=wrong; other=1; ${name}=${key}` };
    expect((await ask(door, "/alive", { headers: good })).status).toBe(204);
  });

  it("gets nothing with the key to another workspace", async () => {
    await using scene = await DoorScene.open();
    const [door, other] = [await scene.door(), await scene.door("another")];
    const { cookie } = await enter(other);
    const key = cookie.split("=")[1];
    for (const shown of [cookie, `lockstep-${door.port}=${key}`]) {
      expect((await ask(door, "/alive", { headers: { cookie: shown } })).status).toBe(401);
    }
  });

  it("gets no address without the secret, and not by a page's hand", async () => {
    await using scene = await DoorScene.open();
    const door = await scene.door();
    const cookie = await enter(door);
    const secrets = ["", "x", door.secret.slice(1), `${door.secret}x`];
    for (const secret of secrets) {
      const headers = { ...cookie, "x-lockstep-secret": secret };
      expect((await ask(door, "/launch", { method: "POST", headers })).status).toBe(401);
    }
    const good = { "x-lockstep-secret": door.secret };
    expect((await ask(door, "/launch", { headers: good })).status).toBe(405);
    const evil = { ...good, origin: "https://evil.example" };
    expect((await ask(door, "/launch", { method: "POST", headers: evil })).status).toBe(403);
    const host = `Host: 127.0.0.1:${door.port}`;
    const twice = [`X-Lockstep-Secret: ${door.secret}`, "X-Lockstep-Secret: x"];
    expect(await rawStatus(door, ["POST /launch HTTP/1.1", host, ...twice])).toBe(401);
  });

  it("cannot guess a launch, and reads nothing of what it sent", async () => {
    await using scene = await DoorScene.open();
    const door = await scene.door();
    const url = door.launchUrl();
    const token = new URL(url).searchParams.get("launch") ?? "";
    const queries = [
      "",
      "x",
      token.slice(1),
      `${token}x`,
      `${token}&launch=x`,
      "<script>alert(1)</script>",
    ];
    for (const query of queries) {
      const answer = await ask(door, `/?launch=${query}`);
      expect(answer.status).toBe(401);
      expect(answer.headers["set-cookie"]).toBeUndefined();
      expect(answer.body).not.toContain("script");
    }
    expect((await ask(door, url.slice(originOf(door).length))).status).toBe(303);
  });
});

describe("a path", () => {
  it("cannot lead out of the page's folder", async () => {
    await using scene = await DoorScene.open();
    const door = await scene.door();
    const headers = await enter(door);
    const paths = [
      "/../secret.txt",
      "/..%2fsecret.txt",
      "/%2e%2e/secret.txt",
      "/assets/../../secret.txt",
      "/assets/..%5c..%5csecret.txt",
      "/..\\secret.txt",
      "//secret.txt",
      "/./index.html/../../secret.txt",
      "/icon.svg%00.js",
      "/assets",
      "/assets/",
      "/state/door.json",
      "/.",
      "/__proto__",
      "/constructor",
    ];
    for (const path of paths) {
      const answer = await ask(door, path, { headers });
      expect(answer.status).toBe(404);
      expect(answer.body).not.toContain("outside");
    }
  });

  it("takes only the methods that it is made for", async () => {
    await using scene = await DoorScene.open();
    const door = await scene.door();
    const headers = { ...(await enter(door)), origin: originOf(door) };
    const id = scene.bodies.put("{}");
    for (const method of ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"]) {
      for (const path of ["/", "/alive", "/icon.svg", `/body/${id}`, "/socket"]) {
        expect((await ask(door, path, { method, headers })).status).toBe(405);
      }
    }
    expect((await ask(door, "/body", { headers })).status).toBe(405);
    expect((await ask(door, "/body", { method: "PUT", headers })).status).toBe(405);
    expect(await ask(door, "/alive", { method: "HEAD", headers })).toMatchObject({ status: 204 });
    expect(scene.bodies.take(id)).toBe("{}");
  });

  it("of a body that is not there leads to nothing", async () => {
    await using scene = await DoorScene.open();
    const door = await scene.door();
    const headers = await enter(door);
    const id = scene.bodies.put('"mine"');
    expect((await ask(door, `/body/${id}`)).status).toBe(401);
    for (const wrong of ["", "x", id.slice(1), id.toUpperCase(), `${id}/`, "__proto__"]) {
      expect((await ask(door, `/body/${wrong}`, { headers })).status).toBe(404);
    }
    expect((await ask(door, `/body/${id}`, { headers })).body).toBe('"mine"');
  });
});
