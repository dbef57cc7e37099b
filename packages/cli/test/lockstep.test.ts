import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { freshHome, run, serveJson, start } from "./command.js";

async function project() {
  const home = await freshHome();
  const folder = join(home, "project");
  await mkdir(folder);
  await writeFile(join(folder, "a.ts"), "const a = 1;\n");
  return { home, folder };
}

describe("lockstep serve", () => {
  it("prints one line when it is ready, and is found by ls and call", async () => {
    const { home, folder } = await project();
    await using server = await serveJson(home, [], folder);
    const { port, lockFile, pid, workspaceFolders } = server.ready;
    expect(workspaceFolders).toEqual([folder]);
    expect(lockFile).toBe(join(home, ".claude", "ide", `${port}.lock`));
    expect(JSON.parse(await readFile(lockFile, "utf8"))).toMatchObject({
      pid,
      ideName: "Lockstep",
    });

    const listed = await run(home, ["ls"], folder);
    expect(listed.stdout).toMatch(
      new RegExp(`^PORT.*\\n${port} +Lockstep +${pid} +ready +${folder}\\n$`),
    );
    const json = await run(home, ["ls", "--json"], folder);
    expect(JSON.parse(json.stdout)).toEqual([
      { port, name: "Lockstep", pid, folders: [folder], lockFiles: [lockFile], problems: [] },
    ]);

    const args = '{"filePath":"a.ts","startText":"const"}';
    const opened = await run(home, ["call", "openFile", args], folder);
    expect(opened).toEqual({
      code: 0,
      stdout: 'Opened file and selected text "const"\n',
      stderr: "",
    });
    const tabs = await run(home, ["call", "getOpenEditors", "--ide", String(port)], "/");
    expect(JSON.parse(tabs.stdout).tabs).toMatchObject([
      { label: "a.ts", languageId: "typescript" },
    ]);
  });

  it("stops in order at SIGINT, SIGTERM and SIGHUP, and removes its lock file", async () => {
    const { home, folder } = await project();
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
      const server = await serveJson(home, [folder]);
      expect(await server.stop(signal)).toBe(0);
      await expect(stat(server.ready.lockFile)).rejects.toThrow("ENOENT");
    }
  });

  it("decides proposals at once where it is told to", async () => {
    const { home, folder } = await project();
    const path = join(folder, "a.ts");
    const args = { old_file_path: path, new_file_contents: "const a = 2;\n", tab_name: "t" };
    for (const [decide, reply] of [
      ["accept", "FILE_SAVED\nconst a = 2;\n\n"],
      ["reject", "DIFF_REJECTED\nt\n"],
    ] as const) {
      await using _server = await serveJson(home, [folder, "--decide", decide]);
      const { stdout } = await run(home, ["call", "openDiff", JSON.stringify(args)], folder);
      expect(stdout).toBe(reply);
      expect(await readFile(path, "utf8")).toBe("const a = 1;\n");
    }
  });

  it("announces where it is told to", async () => {
    const { home, folder } = await project();
    const configDir = join(home, "elsewhere");
    await using server = await serveJson(home, [folder, "--config-dir", configDir]);
    expect(server.ready.lockFile).toBe(join(configDir, "ide", `${server.ready.port}.lock`));
    await expect(stat(join(home, ".claude"))).rejects.toThrow("ENOENT");
  });

  it("tells a person how to connect, and what happens", async () => {
    const { home, folder } = await project();
    const child = start(home, ["serve", folder]);
    let out = "";
    child.stdout?.on("data", (chunk) => (out += chunk));
    await expect.poll(() => out).toContain("claude --ide");
    await run(home, ["call", "getOpenEditors"], folder);
    await expect.poll(() => out).toMatch(/lockstep connected\.\nlockstep left\./);
    child.kill("SIGTERM");
  });
});

describe("what cannot be done is said in a sentence", () => {
  it("a command or option that does not exist: exit code 2", async () => {
    const { home, folder } = await project();
    const cases: [string[], string][] = [
      [["sevre"], "There is no command sevre"],
      [["--nope"], "--nope"],
      [[join(folder, "missing")], "no such folder"],
      [[join(folder, "a.ts")], "no such folder"],
      [[folder, folder], "one folder"],
      [["reset", "--all", folder], "not both"],
      [["reset", join(folder, "missing")], "There is no folder"],
      [["serve", "--nope"], "--nope"],
      [["serve", join(folder, "missing")], "There is no folder"],
      [["serve", join(folder, "a.ts")], "There is no folder"],
      [["serve", "--decide", "maybe"], "ask, accept or reject"],
      [["call", "a", "{}", "b"], "call takes a tool"],
      [["call", "openFile", "{"], "JSON object"],
      [["call", "openFile", "[]"], "JSON object"],
      [["call", "getOpenEditors", "--ide", "x"], "port number"],
    ];
    const results = await Promise.all(cases.map(([args]) => run(home, args, folder)));
    for (const [index, [, sentence]] of cases.entries()) {
      expect(results[index]).toMatchObject({ code: 2, stdout: "" });
      expect(results[index]?.stderr).toMatch(/^lockstep: .*\n$/);
      expect(results[index]?.stderr).toContain(sentence);
    }
  });

  it("an editor that is not there, or a tool that fails: exit code 1", async () => {
    const { home, folder } = await project();
    const none = await run(home, ["call", "getOpenEditors"], folder);
    expect(none).toMatchObject({ code: 1, stdout: "" });
    expect(none.stderr).toContain("lockstep serve");
    await using _server = await serveJson(home, [folder]);
    const failed = await run(home, ["call", "openFile", '{"filePath":"no.ts"}'], folder);
    expect(failed).toEqual({
      code: 1,
      stdout: "",
      stderr: `File not found: ${join(folder, "no.ts")}\n`,
    });
    const unknown = await run(home, ["call", "noSuchTool"], folder);
    expect(unknown.code).toBe(1);
    expect(unknown.stderr).toContain("noSuchTool");
  });

  it("help and version", async () => {
    const { home } = await project();
    const { version } = JSON.parse(
      await readFile(new URL("../package.json", import.meta.url), "utf8"),
    );
    expect(await run(home, ["--version"])).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
    expect((await run(home, ["--help"])).stdout).toContain("lockstep serve");
    for (const name of ["open", "reset", "serve", "ls", "call"]) {
      const { code, stdout } = await run(home, [name, "--help"]);
      expect(code).toBe(0);
      expect(stdout).toContain("Examples:");
    }
  });
});

it("nothing that an editor announces can redraw the terminal", async () => {
  const { home, folder } = await project();
  const ide = join(home, ".claude", "ide");
  await mkdir(ide, { recursive: true });
  const lock = {
    pid: 1,
    transport: "ws",
    ideName: "\u001b[2Jevil\u202e",
    workspaceFolders: ["/p\u0007\n"],
  };
  await writeFile(join(ide, "12345.lock"), JSON.stringify(lock), { mode: 0o600 });
  const { stdout } = await run(home, ["ls"], folder);
  expect(stdout).toContain("evil");
  for (const mark of ["\u001b", "\u0007", "\u202e"]) expect(stdout).not.toContain(mark);
  expect(stdout.trim().split("\n")).toHaveLength(3);
});
