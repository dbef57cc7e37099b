import { mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { spawn } from "@lydell/node-pty";
import { describe, expect, it } from "vitest";
import { PageClient } from "../../workbench/test/page-client.js";
import { LOCKSTEP, openJson, PATIENCE, run } from "./command.js";
import { project, states, typeInto } from "./project.js";

describe("lockstep reset", () => {
  it("names unsaved work, and removes it only when told so", async () => {
    const { home, folder } = await project();
    const editor = await openJson(home, [folder]);
    await typeInto(editor.ready.url, folder);
    const running = await run(home, ["reset", "--yes"], folder);
    expect(running.code).toBe(1);
    expect(running.stderr).toContain(`process ${editor.ready.pid}`);
    await editor.stop("SIGTERM");

    const asked = await run(home, ["reset"], folder);
    expect(asked.code).toBe(1);
    expect(asked.stdout).toContain(`unsaved edits of ${join(folder, "a.ts")}`);
    expect(asked.stderr).toContain("--yes");
    expect(await readdir(states(home))).toHaveLength(1);

    const done = await run(home, ["reset", "--yes"], folder);
    expect(done).toMatchObject({ code: 0, stderr: "" });
    expect(done.stdout).toContain(`Removed what Lockstep kept of ${folder}`);
    expect(done.stdout).toContain("Forgot a port");
    expect(await readdir(states(home))).toEqual([]);
    expect(await readFile(join(folder, "a.ts"), "utf8")).toBe("const a = 1;\n");

    const nothing = await run(home, ["reset"], folder);
    expect(nothing).toMatchObject({ code: 0, stdout: `Lockstep keeps nothing of ${folder}.\n` });
  });

  it("asks a person at a terminal, and takes only a yes for a yes", async () => {
    const { home, folder } = await project();
    const editor = await openJson(home, [folder]);
    await typeInto(editor.ready.url, folder);
    await editor.stop("SIGTERM");
    for (const [answer, code, left] of [
      ["", 1, 1],
      ["no", 1, 1],
      ["yes", 0, 0],
    ] as const) {
      const terminal = resetInTerminal(home, folder);
      await expect.poll(terminal.screen, PATIENCE).toContain("(yes/no)");
      terminal.type(`${answer}\r`);
      expect(await terminal.exited).toBe(code);
      expect(await readdir(states(home))).toHaveLength(left);
    }
  });

  it("--all goes through all folders, but leaves one alone where the editor runs", async () => {
    const { home, folder } = await project();
    const other = join(home, "other");
    await mkdir(other);
    await (await openJson(home, [other])).stop("SIGTERM");
    await using editor = await openJson(home, [folder]);
    const { code, stdout, stderr } = await run(home, ["reset", "--all", "--yes"]);
    expect(code).toBe(1);
    expect(stdout).toContain(`kept of ${other}`);
    expect(stderr).toContain(`runs on ${folder}`);
    expect(await readdir(states(home))).toHaveLength(1);
    await (await PageClient.open(editor.ready.url)).close();
  });

  it("gives agents a new port and token at the next start", async () => {
    const { home, folder } = await project();
    const token = async () => {
      const editor = await openJson(home, [folder]);
      const { authToken } = JSON.parse(await readFile(editor.ready.lockFile, "utf8"));
      await editor.stop("SIGTERM");
      return authToken;
    };
    const first = await token();
    expect(await token()).toBe(first);
    expect((await run(home, ["reset", folder])).code).toBe(0);
    expect(await token()).not.toBe(first);
  });
});

/** With a real terminal in front of it. */
function resetInTerminal(home: string, folder: string) {
  const env = { PATH: process.env.PATH, HOME: home };
  const terminal = spawn(process.execPath, [LOCKSTEP, "reset", folder], { env, cols: 200 });
  let screen = "";
  terminal.onData((data) => (screen += data));
  return {
    screen: () => screen,
    type: (text: string) => terminal.write(text),
    exited: new Promise<number>((resolve) => terminal.onExit(({ exitCode }) => resolve(exitCode))),
  };
}
