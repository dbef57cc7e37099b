import { once } from "node:events";
import { readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { LOCKSTEP, run, serveJson, start } from "./command.js";
import { project } from "./project.js";
import { RawIde } from "./raw-ide.js";

describe("lockstep tap -- command", () => {
  const SHOW = "console.log(JSON.stringify(process.env)); process.exit(7)";

  it("runs it with the tap's port, and ends with its exit code and without a lock file", async () => {
    const { home, folder } = await project();
    const ide = await RawIde.start({ home, folder });
    const args = ["tap", "--quiet", "--", process.execPath, "-e", SHOW];
    const contrary = { CLAUDE_CODE_AUTO_CONNECT_IDE: "false", CLAUDE_CODE_SSE_PORT: "1" };
    const { code, stdout, stderr } = await run(home, args, folder, contrary);
    expect([code, stderr]).toEqual([7, ""]);
    const env = JSON.parse(stdout);
    expect(Number(env.CLAUDE_CODE_SSE_PORT)).toBeGreaterThan(1);
    expect(env.CLAUDE_CODE_SSE_PORT).not.toBe(String(ide.port));
    expect(env.CLAUDE_CODE_AUTO_CONNECT_IDE).toBeUndefined();
    expect(stdout).not.toContain(ide.token);
    expect(await readdir(join(home, ".claude", "ide"))).toEqual([`${ide.port}.lock`]);
  });

  it("passes signals on to it", async () => {
    const { home, folder } = await project();
    await RawIde.start({ home, folder });
    const wait =
      "process.on('SIGTERM', () => process.exit(5)); console.log('up'); setInterval(() => {}, 1e9)";
    const child = start(home, ["tap", "--", process.execPath, "-e", wait], folder);
    await once(child.stdout as NodeJS.ReadableStream, "data");
    child.kill("SIGTERM");
    expect((await once(child, "close"))[0]).toBe(5);
  });

  it("says what it did, where the recording is, and how to look at it", async () => {
    const { home, folder } = await project();
    await using _server = await serveJson(home, [folder]);
    const file = join(home, "r.jsonl");
    const call = [process.execPath, LOCKSTEP, "call", "getWorkspaceFolders"];
    const { stdout, stderr } = await run(home, ["tap", "--out", file, "--", ...call], folder);
    expect(JSON.parse(stdout)).toMatchObject({ success: true });
    expect(stderr).toMatch(
      /^Recording Lockstep on port \d+ in .*r\.jsonl\nRecorded 6 frames in .*\nLook at them: lockstep tap --view /,
    );
  });

  it("keeps a file that is there, and follows no link", async () => {
    const { home, folder } = await project();
    await RawIde.start({ home, folder });
    const file = join(home, "mine.txt");
    await writeFile(file, "mine");
    await symlink(join(home, "elsewhere"), join(home, "link"));
    for (const out of [file, join(home, "link")]) {
      const { code, stderr } = await run(home, ["tap", "--out", out, "--", "true"], folder);
      expect(code).toBe(2);
      expect(stderr).toContain("is there already");
    }
    expect(await readFile(file, "utf8")).toBe("mine");
  });

  it("prints the line to type where there is no terminal and no command", async () => {
    const { home, folder } = await project();
    await RawIde.start({ home, folder });
    const child = start(home, ["tap"], folder);
    const [line] = await once(child.stdout as NodeJS.ReadableStream, "data");
    expect(String(line)).toMatch(/^CLAUDE_CODE_SSE_PORT=\d+ ENABLE_IDE_INTEGRATION=true claude\n$/);
    child.kill("SIGINT");
    expect((await once(child, "close"))[0]).toBe(0);
  });

  it("says so when there is no editor", async () => {
    const { home, folder } = await project();
    const { code, stderr } = await run(home, ["tap", "--", "true"], folder);
    expect(code).toBe(1);
    expect(stderr).toContain("No running editor has");
  });
});
