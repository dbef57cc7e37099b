import { execFile, execFileSync } from "node:child_process";
import { access, readdir, readFile, readlink } from "node:fs/promises";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { inBrowser } from "../src/in-browser.js";
import { LockstepCommand } from "../src/lockstep-command.js";
import { openByName } from "../src/page-acts.js";
import { Stage } from "../src/stage.js";
import { openTerminal } from "../src/terminal-acts.js";

inBrowser("one command opens the project in the browser", (browser) => {
  it("and the page says what to type to connect an agent, ready to be copied", async () => {
    const stage = await Stage.open(browser(), { files: { "a.ts": "export {};\n" } });
    const page = await stage.page();
    await page.getByRole("button", { name: "Copy “claude --ide”" }).click();
    const copied = await page.evaluate("navigator.clipboard.readText()");
    expect(copied).toBe("claude --ide");
    expect(await page.title()).toContain("project");
    expect(stage.complaints).toEqual([]);
  });

  it("with an address that works once and then is a cookie that no script can read", async () => {
    const stage = await Stage.open(browser());
    const { url = "" } = stage.lockstep.announcement;
    const page = await stage.page();
    expect(page.url()).toBe(`${new URL(url).origin}/`);
    expect(await page.evaluate("document.cookie")).toBe("");
    const [cookie] = await stage.context.cookies();
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Strict" });
    const other = await browser().newContext();
    const refused = await (await other.newPage()).goto(url);
    expect(refused?.status()).toBe(401);
    await other.close();
  });

  it("and a second one in the same folder opens the running one", async () => {
    const stage = await Stage.open(browser());
    const second = await LockstepCommand.edit(stage.workspace);
    const { announcement } = stage.lockstep;
    expect(second.announcement).toEqual({ ...announcement, url: second.announcement.url });
    expect(second.announcement.url).not.toBe(announcement.url);
    await stage.open(second.announcement.url ?? "");
  });

  it("and SIGTERM ends it at once, with its git, its terminals and its lock file", async () => {
    const stage = await Stage.open(browser(), { files: { "a.ts": "export {};\n" } });
    const { project, root } = stage.workspace;
    execFileSync("git", ["init", "-q", "-b", "main"], { cwd: project });
    // Once more, with git there from the start.
    await stage.crash();
    const page = await stage.page();
    await openByName(page, "a.ts");
    await openTerminal(page);
    await page.keyboard.type("sleep 1000 &\n");
    await expect.poll(() => processesIn(root)).toContain("sleep");
    const { lockFile, pid } = stage.lockstep.announcement;
    await access(lockFile);
    const began = performance.now();
    expect(await stage.lockstep.stop()).toBe(0);
    // The door waits half a second for the page's good-bye; the rest is the machine's.
    expect(performance.now() - began).toBeLessThan(5_000);
    await expect(access(lockFile)).rejects.toThrow("ENOENT");
    expect(() => process.kill(pid, 0)).toThrow("ESRCH");
    await expect.poll(() => processesIn(root)).toEqual([]);
    await page.getByText("Reconnecting to Lockstep…").waitFor();
  });

  it("without --json, it says where, and nothing secret besides the address", async () => {
    const stage = await Stage.open(browser());
    const { home, stateDir, configDir, project } = stage.workspace;
    const program = new URL("../../packages/cli/bin/lockstep.js", import.meta.url).pathname;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [program, project, "--no-open", "--config-dir", configDir],
      { env: { PATH: process.env.PATH, HOME: home, XDG_STATE_HOME: stateDir } },
    );
    expect(stdout).toContain(project);
    expect(stdout).toMatch(/http:\/\/127\.0\.0\.1:\d+\/\?launch=/);
  });
});

/** The names of all processes that work in a folder. */
async function processesIn(folder: string): Promise<readonly string[]> {
  const names: string[] = [];
  for (const pid of (await readdir("/proc")).filter((name) => /^\d+$/.test(name))) {
    const place = await readlink(`/proc/${pid}/cwd`).catch(() => "");
    const name = await readFile(`/proc/${pid}/comm`, "utf8").catch(() => "");
    if (place.startsWith(folder)) names.push(name.trim());
  }
  return names;
}
