import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isAlive, isListening } from "@lockstep/client";
import { describe, expect, it } from "vitest";
import { PageClient } from "../../workbench/test/page-client.js";
import { openJson, PATIENCE, run, serveJson, start } from "./command.js";
import { project } from "./project.js";

/** Prints one line of what it was given, then does what it is told. */
const tell = (then: string) => [
  "--",
  process.execPath,
  "-e",
  `console.log(JSON.stringify({ env: process.env, pid: process.pid })); ${then}`,
];

const WAIT = "setInterval(() => {}, 1000)";

interface Told {
  readonly env: Readonly<Record<string, string>>;
  readonly pid: number;
}

/** What the command said first. */
async function told(child: ChildProcess): Promise<Told> {
  let out = "";
  child.stdout?.on("data", (chunk) => (out += chunk));
  await expect.poll(() => out, PATIENCE).toContain("\n");
  return JSON.parse(out);
}

const locks = (home: string) => readdir(join(home, ".claude", "ide")).catch(() => []);

/** The process of the one editor that announces itself. */
async function editorPid(home: string): Promise<number> {
  const [name = ""] = await locks(home);
  return JSON.parse(await readFile(join(home, ".claude", "ide", name), "utf8")).pid;
}

/** Nothing is left of the editor that was started for a command. */
async function expectNothingLeft(home: string, ...pids: readonly number[]): Promise<void> {
  for (const pid of pids) await expect.poll(() => isAlive(pid), PATIENCE).toBe(false);
  await expect.poll(() => locks(home), PATIENCE).toEqual([]);
}

describe("lockstep run, where an editor has the folder open", () => {
  it("runs the command with that editor's port, and leaves the editor as it is", async () => {
    const { home, folder } = await project();
    await mkdir(join(folder, "below"));
    await using server = await serveJson(home, [folder]);
    const { port, lockFile, pid } = server.ready;
    const ran = await run(home, ["run", ...tell("process.exit(7)")], join(folder, "below"));
    expect(ran.code).toBe(7);
    expect(JSON.parse(ran.stdout).env).toMatchObject({
      CLAUDE_CODE_SSE_PORT: String(port),
      ENABLE_IDE_INTEGRATION: "true",
    });
    expect(ran.stderr).toBe(
      `lockstep: ${process.execPath} connects to Lockstep on port ${port}: it has this folder open.\n`,
    );
    await stat(lockFile);
    expect(isAlive(pid)).toBe(true);
  });

  it("leaves no command behind when it is killed itself", async () => {
    const { home, folder } = await project();
    await using _server = await serveJson(home, [folder]);
    const child = start(home, ["run", ...tell(WAIT)], folder);
    const { pid } = await told(child);
    child.kill("SIGKILL");
    await once(child, "exit");
    await expect.poll(() => isAlive(pid), PATIENCE).toBe(false);
  });

  it("makes harmless what would keep the command from it", async () => {
    const { home, folder } = await project();
    await using server = await serveJson(home, [folder]);
    const { env } = JSON.parse(
      (
        await run(home, ["run", ...tell("")], folder, {
          HTTP_PROXY: "http://proxy.example:3128",
          NO_PROXY: "internal.example",
          CLAUDE_CODE_AUTO_CONNECT_IDE: "false",
          CLAUDE_CODE_IDE_HOST_OVERRIDE: "elsewhere.example",
        })
      ).stdout,
    );
    expect(env.HTTP_PROXY).toBe("http://proxy.example:3128");
    expect(env.NO_PROXY).toBe("internal.example,127.0.0.1,localhost,::1");
    expect(env.no_proxy).toBe(env.NO_PROXY);
    expect(env.CLAUDE_CODE_SSE_PORT).toBe(String(server.ready.port));
    expect(env).not.toHaveProperty("CLAUDE_CODE_AUTO_CONNECT_IDE");
    expect(env).not.toHaveProperty("CLAUDE_CODE_IDE_HOST_OVERRIDE");
  });

  it("of two takes the one with the closest folder, and says so", async () => {
    const { home, folder } = await project();
    await using close = await serveJson(home, [folder]);
    await using far = await serveJson(home, [home]);
    const chosen = String(close.ready.port);
    const ran = await run(home, ["run", ...tell("")], folder);
    expect(JSON.parse(ran.stdout).env.CLAUDE_CODE_SSE_PORT).toBe(chosen);
    expect(ran.stderr).toContain(`on port ${chosen}: its folder is the closest one.`);
    expect(ran.stderr).toContain(`Lockstep on port ${far.ready.port} would fit as well`);

    const named = String(far.ready.port);
    const told = await run(home, ["run", "--ide", named, ...tell("")], folder);
    expect(JSON.parse(told.stdout).env.CLAUDE_CODE_SSE_PORT).toBe(named);
    const inItsTerminal = await run(home, ["run", ...tell("")], folder, {
      CLAUDE_CODE_SSE_PORT: named,
    });
    expect(inItsTerminal.stderr).toContain("this terminal belongs to it");
    const quiet = await run(home, ["run", "--quiet", ...tell("")], folder);
    expect(quiet.stderr).toBe("");
  });

  it("prints nothing that could redraw the terminal", async () => {
    const { home, folder } = await project();
    await using server = await serveJson(home, [folder]);
    const lock = JSON.parse(await readFile(server.ready.lockFile, "utf8"));
    await writeFile(
      server.ready.lockFile,
      JSON.stringify({ ...lock, ideName: "\u001b[2Jevil\u202e" }),
    );
    const { stderr } = await run(home, ["run", ...tell("")], folder);
    expect(stderr).toContain("evil");
    for (const mark of ["\u001b", "\u202e"]) expect(stderr).not.toContain(mark);
    expect(stderr).not.toContain(lock.authToken);
  });
});

describe("lockstep run, where no editor has the folder open", () => {
  it("starts one for the command, says where its page is, and leaves nothing behind", async () => {
    const { home, folder } = await project();
    const child = start(home, ["run", ...tell(WAIT)], folder);
    let said = "";
    child.stderr?.on("data", (chunk) => (said += chunk));
    const { env, pid } = await told(child);
    const port = Number(env.CLAUDE_CODE_SSE_PORT);
    expect(await locks(home)).toEqual([`${port}.lock`]);
    expect(await isListening(port)).toBe(true);
    const tabs = await run(home, ["call", "getOpenEditors"], folder);
    expect(JSON.parse(tabs.stdout)).toEqual({ tabs: [] });
    const [url = ""] = /http:\/\/127\.0\.0\.1:\S+/.exec(said) ?? [];
    const page = await PageClient.open(url);
    expect(page.state.endpoint?.port).toBe(port);
    await page.close();

    const editor = await editorPid(home);
    process.kill(pid, "SIGKILL");
    expect(await once(child, "close")).toEqual([137, null]);
    expect(isAlive(editor)).toBe(false);
    expect(await locks(home)).toEqual([]);
  });

  it("starts one also where the one that announces itself does not answer", async () => {
    const { home, folder } = await project();
    await mkdir(join(home, ".claude", "ide"), { recursive: true, mode: 0o700 });
    const lock = { pid: process.pid, workspaceFolders: [folder], transport: "ws", authToken: "x" };
    const path = join(home, ".claude", "ide", "1.lock");
    await writeFile(path, JSON.stringify(lock), { mode: 0o600 });
    const { stdout } = await run(home, ["run", ...tell("")], folder);
    expect(JSON.parse(stdout).env.CLAUDE_CODE_SSE_PORT).not.toBe("1");
    expect(await locks(home)).toEqual(["1.lock"]);
  });

  it("answers the command's exit code, and passes signals on to it", async () => {
    const { home, folder } = await project();
    const child = start(
      home,
      ["run", ...tell(`process.on("SIGTERM", () => process.exit(9)); ${WAIT}`)],
      folder,
    );
    const { pid } = await told(child);
    const editor = await editorPid(home);
    child.kill("SIGTERM");
    expect(await once(child, "close")).toEqual([9, null]);
    await expectNothingLeft(home, pid, editor);
  });

  it("leaves neither command nor editor nor lock file when it is killed itself", async () => {
    const { home, folder } = await project();
    const child = start(home, ["run", ...tell(WAIT)], folder);
    const { pid } = await told(child);
    const editor = await editorPid(home);
    child.kill("SIGKILL");
    await once(child, "exit");
    await expectNothingLeft(home, pid, editor);
  });

  it("announces where the command looks, and sends it there", async () => {
    const { home, folder } = await project();
    const configDir = join(home, "elsewhere");
    const args = ["run", "--config-dir", configDir, ...tell("")];
    const { stdout } = await run(home, args, folder);
    expect(JSON.parse(stdout).env.CLAUDE_CONFIG_DIR).toBe(configDir);
    expect(await readdir(join(configDir, "ide"))).toEqual([]);
    expect(await locks(home)).toEqual([]);
  });

  it("says so where Lockstep runs on the folder and the command would not see it", async () => {
    const { home, folder } = await project();
    const configDir = join(home, "elsewhere");
    await using _editor = await openJson(home, [folder, "--config-dir", configDir]);
    const ran = await run(home, ["run", ...tell("")], folder);
    expect(ran).toMatchObject({ code: 1, stdout: "" });
    expect(ran.stderr).toContain(`Try: lockstep run --config-dir ${configDir}`);
  });
});

describe("what lockstep run is told", () => {
  it("a program that is not there: 127, and nothing is left", async () => {
    const { home, folder } = await project();
    for (const args of [["run", "--", "no-such-program"], ["run"]]) {
      const ran = await run(home, args, folder, { PATH: home });
      expect(ran).toMatchObject({ code: 127, stdout: "" });
      expect(ran.stderr).toContain(`There is no program ${args[2] ?? "claude"} on your PATH.`);
    }
    expect(await locks(home)).toEqual([]);
  });

  it("options are the command's from its name on", async () => {
    const { home, folder } = await project();
    await using _server = await serveJson(home, [folder]);
    for (const args of [
      ["run", "--", "echo", "--help", "--ide", "x"],
      ["run", "-q", "echo", "--ide", "x"],
    ]) {
      const ran = await run(home, args, folder);
      expect(ran.stdout).toBe(`${args.slice(args.indexOf("echo") + 1).join(" ")}\n`);
    }
    expect((await run(home, ["run", "--help"], folder)).stdout).toContain("Examples:");
    for (const [args, sentence, code] of [
      [["--ide", "x", "true"], "port number", 2],
      [["--nope", "true"], "--nope", 2],
      [["--ide", "1", "true"], "No editor announces port 1", 1],
    ] as const) {
      const ran = await run(home, ["run", ...args], folder);
      expect(ran).toMatchObject({ code, stdout: "" });
      expect(ran.stderr).toContain(sentence);
    }
  });
});
