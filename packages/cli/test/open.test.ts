import { once } from "node:events";
import { mkdir, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileUri } from "@lockstep/protocol";
import { describe, expect, it } from "vitest";
import { PageClient } from "../../workbench/test/page-client.js";
import { openJson, PATIENCE, run, serveJson, start } from "./command.js";
import { project, states, typeInto } from "./project.js";

async function runningFile(home: string): Promise<string> {
  const [name = ""] = await readdir(states(home));
  return join(states(home), name, "running.json");
}

describe("lockstep [folder]", () => {
  it("prints exactly one line of JSON, and agents and pages get in", async () => {
    const { home, folder } = await project();
    await using editor = await openJson(home, [folder]);
    const { url, port, lockFile, pid, workspaceFolders } = editor.ready;
    expect(Object.keys(editor.ready)).toEqual([
      "url",
      "port",
      "lockFile",
      "pid",
      "workspaceFolders",
    ]);
    expect(workspaceFolders).toEqual([folder]);
    expect(JSON.parse(await readFile(lockFile, "utf8"))).toMatchObject({
      pid,
      ideName: "Lockstep",
    });
    const page = await PageClient.open(url);
    expect(page.state.endpoint?.port).toBe(port);
    await page.call("tab.open", { uri: fileUri(join(folder, "a.ts")), preview: false });
    const tabs = await run(home, ["call", "getOpenEditors"], folder);
    expect(JSON.parse(tabs.stdout).tabs).toMatchObject([{ label: "a.ts" }]);
    await page.close();
    expect(editor.printed()).toMatch(/^\{.*\}\n$/);
  });

  it("opens the current folder without a name, and serves the page that was built", async () => {
    const { home, folder } = await project();
    await using editor = await openJson(home, [], folder);
    expect(editor.ready.workspaceFolders).toEqual([folder]);
    const launched = await fetch(editor.ready.url, { redirect: "manual" });
    const [cookie = ""] = (launched.headers.get("set-cookie") ?? "").split(";");
    const page = await fetch(new URL("/", editor.ready.url), { headers: { cookie } });
    const [, script] = /<script [^>]*src="([^"]+)"/.exec(await page.text()) ?? [];
    const loaded = await fetch(new URL(script ?? "", editor.ready.url), { headers: { cookie } });
    expect(loaded.status).toBe(200);
    expect(loaded.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
  });

  it("a second time answers for the one that runs, by any name of the folder", async () => {
    const { home, folder } = await project();
    await using editor = await openJson(home, [folder]);
    const link = join(home, "link");
    await symlink(folder, link);
    for (const name of [folder, link]) {
      const again = await run(home, [name, "--no-open", "--json"]);
      expect(again).toMatchObject({ code: 0, stderr: "" });
      const { url, ...rest } = JSON.parse(again.stdout);
      const { url: first, ...expected } = editor.ready;
      expect(rest).toEqual(expected);
      expect(url).not.toBe(first);
      await (await PageClient.open(url)).close();
    }
    const said = await run(home, [folder, "--no-open"]);
    expect(said.stdout).toContain("http://127.0.0.1:");
    expect(said.stdout).toContain("running already");
  });

  it("two at the same moment become one editor", async () => {
    const { home, folder } = await project();
    const both = await Promise.all([openJson(home, [folder]), openJson(home, [folder])]);
    const [one, other] = both.map(({ ready }) => ready.pid);
    expect(one).toBe(other);
    await Promise.all(both.map((editor) => editor[Symbol.asyncDispose]()));
  });

  it("keeps its secret in a file that only this user can read, while it runs", async () => {
    const { home, folder } = await project();
    const editor = await openJson(home, [folder]);
    const file = await runningFile(home);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(dirname(file))).mode & 0o777).toBe(0o700);
    const { secret } = JSON.parse(await readFile(file, "utf8")).ready;
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(editor.printed()).not.toContain(secret);
    const argv = await readFile(`/proc/${editor.ready.pid}/cmdline`, "utf8").catch(() => "");
    expect(argv).not.toContain(secret);
    expect(await editor.stop("SIGINT")).toBe(0);
    await expect(stat(file)).rejects.toThrow("ENOENT");
    await expect(stat(editor.ready.lockFile)).rejects.toThrow("ENOENT");
  });

  it("starts over a file that a crash left, even if a process has the number now", async () => {
    const { home, folder } = await project();
    const crashed = await openJson(home, [folder]);
    const page = await PageClient.open(crashed.ready.url);
    const uri = fileUri(join(folder, "a.ts"));
    await page.call("tab.open", { uri, preview: false });
    await crashed.stop("SIGKILL");
    const file = await runningFile(home);
    const left = JSON.parse(await readFile(file, "utf8"));
    for (const text of [
      JSON.stringify(left),
      "",
      "{",
      // As on a system that does not tell when a process began.
      JSON.stringify({ ...left, process: { pid: process.pid, began: null } }),
      JSON.stringify({ ...left, process: { pid: process.pid, began: "1" } }),
    ]) {
      await writeFile(file, text, { mode: 0o600 });
      const editor = await openJson(home, [folder]);
      expect(editor.ready.port).toBe(crashed.ready.port);
      expect(new URL(editor.ready.url).port).toBe(new URL(crashed.ready.url).port);
      const back = await PageClient.open(editor.ready.url);
      expect(back.state.tabs).toEqual([{ uri, preview: false }]);
      await back.close();
      expect(await editor.stop("SIGTERM")).toBe(0);
    }
  });

  it("stops in order: unsaved edits are there again", async () => {
    const { home, folder } = await project();
    const first = await openJson(home, [folder]);
    const uri = await typeInto(first.ready.url, folder);
    expect(await first.stop("SIGHUP")).toBe(0);
    expect(await readFile(join(folder, "a.ts"), "utf8")).toBe("const a = 1;\n");
    await using second = await openJson(home, [folder]);
    const page = await PageClient.open(second.ready.url);
    expect((await page.call("text.attach", { name: uri })).text).toBe("edited const a = 1;\n");
    await page.close();
  });

  it("stops in order although it cannot say that it stops", async () => {
    const { home, folder } = await project();
    const editor = await openJson(home, [folder]);
    const file = await runningFile(home);
    await rm(file);
    await mkdir(file);
    expect(await editor.stop("SIGTERM")).toBe(0);
    await expect(stat(editor.ready.lockFile)).rejects.toThrow("ENOENT");
  });

  it("says a fault that nobody waited for, and goes on", async () => {
    const { home, folder } = await project();
    const fault = `process.on("SIGUSR2", () => { Promise.reject(new Error("unexpected")) })`;
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(fault)}`;
    const child = start(home, [folder, "--no-open"], home, { NODE_OPTIONS });
    let out = "";
    let said = "";
    child.stdout?.on("data", (chunk) => (out += chunk));
    child.stderr?.on("data", (chunk) => (said += chunk));
    await expect.poll(() => out, PATIENCE).toContain("Ctrl+C");
    child.kill("SIGUSR2");
    await expect.poll(() => said, PATIENCE).toContain("unexpected");
    await (await PageClient.open(/http:\S+/.exec(out)?.[0] ?? "")).close();
    child.kill("SIGINT");
    expect((await once(child, "close"))[0]).toBe(0);
  });

  it("tells the page of another editor on the same folder, until that one is gone", async () => {
    const { home, folder } = await project();
    await using editor = await openJson(home, [folder]);
    const page = await PageClient.open(editor.ready.url);
    const elsewhere = join(home, "elsewhere");
    await mkdir(elsewhere);
    await using _unrelated = await serveJson(home, [elsewhere]);
    const other = await serveJson(home, [home]);
    const { port, pid } = other.ready;
    await page.until(({ rivals }) => rivals.length > 0);
    expect(page.state.rivals).toEqual([{ name: "Lockstep", port, pid }]);
    await other.stop("SIGTERM");
    await page.until(({ rivals }) => rivals.length === 0);
    await page.close();
  });
});

describe("the browser", () => {
  it("is the person's own, and gets the address", async () => {
    const { home, folder } = await project();
    const seen = join(home, "seen");
    const browser = join(home, "browser.sh");
    await writeFile(
      browser,
      `#!/bin/sh\nprintf %s "$1" > "${seen}.new"; mv "${seen}.new" "${seen}"\n`,
      {
        mode: 0o755,
      },
    );
    const child = start(home, [folder], home, { BROWSER: `${join(home, "missing")}:${browser}` });
    let out = "";
    child.stdout?.on("data", (chunk) => (out += chunk));
    await expect.poll(() => out, PATIENCE).toContain("Ctrl+C");
    expect(out).toContain("in your browser");
    expect(out).not.toContain("launch=");
    const page = await PageClient.open(await readFile(seen, "utf8"));
    await page.close();
    child.kill("SIGINT");
    expect((await once(child, "close"))[0]).toBe(0);
  });

  it("that cannot be found is replaced by a sentence with the address", async () => {
    const { home, folder } = await project();
    const child = start(home, [folder], home, { BROWSER: join(home, "missing") });
    let out = "";
    child.stdout?.on("data", (chunk) => (out += chunk));
    await expect.poll(() => out, PATIENCE).toContain("Ctrl+C");
    expect(out).toContain("No browser could be opened");
    const [url = ""] = /http:\S+/.exec(out) ?? [];
    await (await PageClient.open(url)).close();
    child.kill("SIGINT");
    expect((await once(child, "close"))[0]).toBe(0);
  });
});
