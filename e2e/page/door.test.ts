import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Door } from "../../packages/workbench/src/door/door.js";
import { Bodies } from "../../packages/workbench/src/windows/bodies.js";
import { launchBrowser, person, whyNoBrowser } from "../src/browser.js";
import { titled } from "../src/needs.js";

const reason = whyNoBrowser();

/** What the page finds out about itself, in its title. */
const SCRIPT = `
const socket = new WebSocket("ws://" + location.host + "/socket");
socket.onopen = async () => {
  const sent = await fetch("/body", { method: "POST", body: '"long"' });
  const back = await fetch("/body/" + (await sent.text()));
  document.title = "in " + (await back.text());
};
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
      onSocket: () => void sockets++,
      report: (problem) => asked.push(`problem: ${problem}`),
    });
    evil = createServer((_request, response) => {
      response.setHeader("Content-Type", "text/html");
      response.end(`<!doctype html><title>Evil</title><a href="${door.launchUrl()}">Lockstep</a>`);
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
    await page.waitForFunction(() => document.title.startsWith("in"));
    expect(await page.title()).toBe('in "long"');
    expect(page.url()).toBe(`${origin()}/`);
    expect(await page.evaluate(() => document.cookie)).toBe("");
    await page.reload();
    await page.waitForFunction(() => document.title.startsWith("in"));
    await context.close();
    const stranger = await person(browser);
    const second = await stranger.newPage();
    expect((await second.goto(url))?.status()).toBe(401);
    expect(await second.textContent("h1")).toBe("This page needs a new address");
    await stranger.close();
  });

  it("takes the page to its name when somebody types localhost", async () => {
    const context = await person(browser);
    const page = await context.newPage();
    await page.goto(door.launchUrl());
    await page.goto(`http://localhost:${door.port}/`);
    expect(page.url()).toBe(`${origin()}/`);
    await page.waitForFunction(() => document.title.startsWith("in"));
    await context.close();
  });

  it("lets a launch in that was clicked on another site", async () => {
    for (const host of ["127.0.0.1", "localhost"]) {
      const context = await person(browser);
      const page = await context.newPage();
      await page.goto(evilOrigin(host));
      await page.click("a");
      await page.waitForFunction(() => document.title.startsWith("in"));
      await context.close();
    }
  });

  it("gives nothing to a page of another origin, although the browser has the cookie", async () => {
    for (const host of ["127.0.0.1", "localhost"]) {
      const context = await person(browser);
      const own = await context.newPage();
      await own.goto(door.launchUrl());
      await own.waitForFunction(() => document.title.startsWith("in"));
      const page = await context.newPage();
      asked = [];
      page.on("response", (response) => {
        if (response.url().startsWith(origin())) asked.push(`${response.status()}`);
      });
      await page.goto(evilOrigin(host));
      const before = sockets;
      expect(await page.evaluate(tryEverything, origin())).toEqual({
        fetched: "refused",
        opaque: "refused",
        posted: "refused",
        script: "refused",
        socket: "refused",
      });
      expect(sockets).toBe(before);
      expect(asked.every((status) => status === "403")).toBe(true);
      expect(await framed(page, origin())).not.toContain("in");
      await context.close();
    }
  });

  it("runs no script that is written into a page", async () => {
    const context = await person(browser);
    const page = await context.newPage();
    await page.goto(door.launchUrl());
    await page.waitForFunction(() => document.title.startsWith("in"));
    const ran = await page.evaluate(() => {
      document.body.innerHTML = '<img src="data:," onerror="globalThis.ran = 1">';
      const script = document.createElement("script");
      script.textContent = "globalThis.ran = 2";
      document.body.append(script);
      let evaluated = "refused";
      try {
        // biome-ignore lint/security/noGlobalEval: that is what must not work
        evaluated = eval("'evaluated'");
      } catch {}
      return { ran: (globalThis as { ran?: number }).ran, evaluated };
    });
    expect(ran.ran).toBeUndefined();
    await context.close();
  });
});

/** In a page of another origin: all ways to reach the door. */
async function tryEverything(origin: string): Promise<Record<string, string>> {
  const outcome = (work: Promise<unknown>) =>
    work.then(
      () => "reached",
      () => "refused",
    );
  const script = document.createElement("script");
  const loaded = new Promise((resolve, reject) => {
    script.onload = resolve;
    script.onerror = reject;
  });
  script.type = "module";
  script.src = `${origin}/assets/main-1.js`;
  document.head.append(script);
  const socket = new WebSocket(`${origin.replace("http", "ws")}/socket`);
  const opened = new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = reject;
  });
  const post = { method: "POST", body: "{}", credentials: "include" } as const;
  return {
    fetched: await outcome(fetch(`${origin}/alive`, { credentials: "include" })),
    opaque: await outcome(fetch(`${origin}/`, { mode: "no-cors", credentials: "include" })),
    posted: await outcome(fetch(`${origin}/body`, post)),
    script: await outcome(loaded),
    socket: await outcome(opened),
  };
}

/** The title of a frame that shows the door, once it has loaded whatever it loads. */
async function framed(page: Page, origin: string): Promise<string> {
  await page.evaluate(
    (src) =>
      new Promise((resolve) => {
        const frame = document.createElement("iframe");
        frame.onload = resolve;
        frame.src = src;
        document.body.append(frame);
      }),
    origin,
  );
  return page.frames()[1]?.title() ?? "";
}
