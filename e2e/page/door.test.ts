import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Door } from "../../packages/workbench/src/door/door.js";
import { Bodies } from "../../packages/workbench/src/windows/bodies.js";
import { launchBrowser, person, whyNoBrowser } from "../src/browser.js";
import { titled } from "../src/needs.js";

const reason = whyNoBrowser();
/** A browser may take long where many programs run. */
const PATIENCE = { timeout: 20_000 };
const IN = 'in "long" without eval';

/** What the page finds out about itself, in its title. */
const SCRIPT = `
const socket = new WebSocket("ws://" + location.host + "/socket");
socket.onopen = async () => {
  const sent = await fetch("/body", { method: "POST", body: '"long"' });
  const back = await fetch("/body/" + (await sent.text()));
  let evaluated = " without eval";
  try { evaluated = eval("' with eval'"); } catch {}
  document.title = "in " + (await back.text()) + evaluated;
};
`;

/** All ways to reach the door from a page of another origin; what came of them is in its title. */
const EVIL = `
const { origin } = window.door;
const outcome = (work) => work.then(() => "reached", () => "refused");
const event = (target, good) => new Promise((resolve, reject) => {
  target[good] = resolve;
  target.onerror = reject;
});
const add = (name, more) => document.body.appendChild(Object.assign(document.createElement(name), more));
const src = origin + "/assets/main-1.js";
const results = {
  fetch: fetch(origin + "/alive", { credentials: "include" }),
  opaque: fetch(origin + "/", { mode: "no-cors", credentials: "include" }),
  post: fetch(origin + "/body", { method: "POST", body: "{}", credentials: "include" }),
  script: event(add("script", { type: "module", src }), "onload"),
  old: event(add("script", { src }), "onload"),
  picture: event(add("img", { src: origin + "/icon.svg" }), "onload"),
  socket: event(new WebSocket(origin.replace("http", "ws") + "/socket"), "onopen"),
};
await new Promise((resolve) => add("iframe", { src: origin, onload: resolve }));
for (const name of Object.keys(results)) results[name] = await outcome(results[name]);
document.title = JSON.stringify(results);
`;

describe.skipIf(reason)(titled("the door, to a real browser", reason), () => {
  let browser: Browser;
  let folder: string;
  let door: Door;
  let sockets = 0;
  let asked: string[] = [];
  let evil: Server;

  beforeAll(async () => {
    browser = await launchBrowser();
    folder = await mkdtemp(join(tmpdir(), "lockstep-door-"));
    await mkdir(join(folder, "page", "assets"), { recursive: true });
    await mkdir(join(folder, "state"), { mode: 0o700 });
    await writeFile(join(folder, "page", "assets", "main-1.js"), SCRIPT);
    await writeFile(
      join(folder, "page", "index.html"),
      '<!doctype html><title>Page</title><script type="module" crossorigin src="/assets/main-1.js"></script>',
    );
    door = await Door.open({
      pageFolder: join(folder, "page"),
      stateDir: join(folder, "state"),
      bodies: new Bodies(),
      picture: async () => null,
      onSocket: () => void sockets++,
      report: (problem) => asked.push(`problem: ${problem}`),
    });
    evil = createServer((_request, response) => {
      response.setHeader("Content-Type", "text/html");
      const script = `window.door = { origin: "${origin()}" };</script><script type="module">${EVIL}`;
      response.end(`<!doctype html><title>Evil</title>
        <body><a href="${door.launchUrl()}">Lockstep</a><script>${script}</script>`);
    });
    await once(evil.listen(0, "127.0.0.1"), "listening");
  });

  afterAll(async () => {
    await browser?.close();
    await door?.close();
    evil?.close();
    await rm(folder, { recursive: true });
  });

  const origin = () => `http://127.0.0.1:${door.port}`;
  const evilOrigin = (host = "127.0.0.1") =>
    `http://${host}:${(evil.address() as AddressInfo).port}`;

  it("opens the page once, and the page talks to its workbench", async () => {
    const context = await person(browser);
    const page = await context.newPage();
    const url = door.launchUrl();
    await page.goto(url);
    await expect.poll(() => page.title(), PATIENCE).toBe(IN);
    expect(page.url()).toBe(`${origin()}/`);
    expect(await page.evaluate("document.cookie")).toBe("");
    await page.reload();
    await expect.poll(() => page.title(), PATIENCE).toBe(IN);
    await context.close();
    const stranger = await person(browser);
    const second = await stranger.newPage();
    expect((await second.goto(url))?.status()).toBe(401);
    expect(await second.textContent("h1")).toBe("This browser needs a new address");
    await stranger.close();
  });

  it("takes the page to its name when somebody types localhost", async () => {
    const context = await person(browser);
    const page = await context.newPage();
    await page.goto(door.launchUrl());
    await page.goto(`http://localhost:${door.port}/`);
    expect(page.url()).toBe(`${origin()}/`);
    await expect.poll(() => page.title(), PATIENCE).toBe(IN);
    await context.close();
  });

  it("lets a launch in that was clicked on another site", async () => {
    for (const host of ["127.0.0.1", "localhost"]) {
      const context = await person(browser);
      const page = await context.newPage();
      await page.goto(evilOrigin(host));
      await page.click("a");
      await expect.poll(() => page.title(), PATIENCE).toBe(IN);
      await context.close();
    }
  });

  it("gives nothing to a page of another origin, although the browser has the cookie", async () => {
    for (const host of ["127.0.0.1", "localhost"]) {
      const context = await person(browser);
      const own = await context.newPage();
      await own.goto(door.launchUrl());
      await expect.poll(() => own.title(), PATIENCE).toBe(IN);
      const page = await context.newPage();
      asked = [];
      page.on("response", (response) => {
        if (response.url().startsWith(origin())) asked.push(`${response.status()}`);
      });
      const before = sockets;
      await page.goto(evilOrigin(host));
      await expect.poll(() => page.title(), PATIENCE).toMatch(/^\{/);
      const results = Object.values(JSON.parse(await page.title()));
      expect(results).toEqual(Array(7).fill("refused"));
      expect(sockets).toBe(before);
      expect([...new Set(asked)]).toEqual(["403"]);
      const [, frame] = page.frames();
      expect(await frame?.content()).not.toContain("main-1.js");
      await context.close();
    }
  });

  it("runs no script that is written into a page", async () => {
    const context = await person(browser);
    const page = await context.newPage();
    await page.goto(door.launchUrl());
    await expect.poll(() => page.title(), PATIENCE).toBe(IN);
    const refused = await page.evaluate(`new Promise((resolve) => {
      const refused = [];
      addEventListener("securitypolicyviolation", ({ effectiveDirective }) => {
        refused.push(effectiveDirective);
        if (refused.length === 4) resolve(refused.sort());
      });
      document.body.innerHTML = '<img src="data:," onerror="ran = 1"><base href="https://evil.example">';
      const script = document.createElement("script");
      script.textContent = "ran = 2";
      document.body.append(script);
      fetch("https://evil.example").catch(() => {});
    })`);
    expect(refused).toEqual(["base-uri", "connect-src", "script-src-attr", "script-src-elem"]);
    expect(await page.evaluate("typeof ran")).toBe("undefined");
    await context.close();
  });
});
