import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { LOCKSTEP, run, serveJson } from "./command.js";
import { project } from "./project.js";
import { RawIde } from "./raw-ide.js";

describe("lockstep", () => {
  it("knows what was meant", async () => {
    const { home } = await project();
    const { code, stderr } = await run(home, ["docter"]);
    expect(code).toBe(2);
    expect(stderr).toBe(
      "lockstep: There is no command docter, and no such folder. Did you mean lockstep doctor?\n",
    );
    expect((await run(home, ["frobnicate"])).stderr).toContain("Commands: open, demo");
    const flag = await run(home, ["ls", "--jsn"]);
    expect(flag.code).toBe(2);
    expect(flag.stderr).toBe("lockstep: There is no flag --jsn here. Did you mean --json?\n");
    expect((await run(home, ["call", "--frobnicate"])).stderr).toContain("Flags: --help, --ide, ");
    expect((await run(home, ["help", "doctor"])).stdout).toContain("lockstep doctor [--fix]");
  });

  it("says in a sentence what is wrong with a command line, and exits with 2", async () => {
    const { home, folder } = await project();
    for (const [line, sentence] of [
      [["ls", "x"], "lockstep ls takes flags only, not x: see lockstep ls --help"],
      [["tap", "--view"], "--view needs a value: see lockstep tap --help"],
      [["tap", "--out", "--print"], "--out needs a value: see lockstep tap --help"],
      [["doctor", "--json=yes"], "--json takes no value: see lockstep doctor --help"],
      [["replay", "no.jsonl"], "There is no file no.jsonl"],
      [["tap", "--view", "no.jsonl"], "There is no file no.jsonl"],
      [["review", "nowhere"], "There is no folder nowhere"],
      [["verify", "--agent", "--", "/no/agent"], "There is no program /no/agent on your PATH"],
      [
        ["verify", "--lock", "1.lock"],
        "There is no file 1.lock. lockstep ls --json names the lock files that are there",
      ],
      [["verify", "--lock", folder], `${folder} is not an ordinary file`],
    ] as const) {
      const expected = { code: 2, stdout: "", stderr: `lockstep: ${sentence}\n` };
      expect(await run(home, line, folder)).toEqual(expected);
    }
  });

  it("shows help with examples for every command, and not for a program behind --", async () => {
    const { home, folder } = await project();
    const { stdout } = await run(home, ["--help"]);
    const names = new Set(
      [...stdout.matchAll(/^ {2}lockstep ([a-z]+) /gm)].map(([, name]) => name),
    );
    expect([...names]).toEqual(expect.arrayContaining(["demo", "doctor", "ls", "call", "verify"]));
    for (const name of names) {
      const help = await run(home, [name ?? "", "--help"]);
      expect(help.code).toBe(0);
      expect(help.stdout).toContain("\nExamples:\n");
    }
    const other = await run(home, ["verify", "--", "claude", "--help"], folder);
    expect(other.stderr).toContain("lockstep verify --agent -- command");
  });

  it("lists an editor's tools, and answers scripts in JSON", async () => {
    const { home, folder } = await project();
    await using _server = await serveJson(home, [folder]);
    const tools = await run(home, ["call"], folder);
    expect(tools.stdout).toMatch(/^TOOL +WHAT IT DOES\n/);
    expect(tools.stdout).toMatch(/\nopenDiff +\S/);
    const json = JSON.parse((await run(home, ["call", "--json"], folder)).stdout);
    expect(json).toContainEqual(expect.objectContaining({ name: "openDiff" }));
    const answer = await run(home, ["call", "getWorkspaceFolders", "--json"], folder);
    expect(JSON.parse(answer.stdout).content[0].type).toBe("text");
  });

  it("says what it does where it is asked to, and never a token", async () => {
    const { home, folder } = await project();
    await using server = await serveJson(home, [folder]);
    const { authToken } = JSON.parse(await readFile(server.ready.lockFile, "utf8"));
    const log = join(home, "lockstep.log");
    const args = ["getWorkspaceFolders", "--verbose", "--log", log];
    const { stderr, stdout } = await run(home, ["call", ...args], folder);
    expect(stderr).toMatch(
      /^found {2}.*\nconnecting {2}Lockstep on port \d+\nsent {2}\{.*initialize/,
    );
    expect(JSON.parse(stdout).success).toBe(true);
    for (const name of ["ls", "doctor"]) await run(home, [name, "--log", log], folder);
    const written = await readFile(log, "utf8");
    const lines = written
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.map(({ what }) => what)).toEqual(
      expect.arrayContaining(["connecting", "sent", "received", "found", "facts"]),
    );
    expect(stderr + written).not.toContain(authToken);
    expect((await stat(log)).mode & 0o777).toBe(0o600);
  });

  it("says more, and never a token, in every command that looks at editors", async () => {
    const { home } = await project();
    for (const name of "doctor ls call verify watch tap replay run mcp relay".split(" ")) {
      const { stdout } = await run(home, [name, "--help"]);
      for (const flag of ["--verbose", "--log FILE", "--quiet", "--config-dir DIR"])
        expect(stdout, name).toContain(`\n  ${flag} `);
    }
    const { stdout } = await run(home, ["review", "--help"]);
    for (const flag of ["--verbose", "--log FILE", "--quiet"])
      expect(stdout).toContain(`\n  ${flag} `);
  });

  it("writes a log only where nobody else can read it, and says why not in a sentence", async () => {
    const { home, folder } = await project();
    const open = join(home, "open.log");
    await writeFile(open, "", { mode: 0o644 });
    await symlink(open, join(home, "link.log"));
    for (const [file, why] of [
      [join(home, "nowhere", "a.log"), "there is no such folder"],
      [join(home, "link.log"), "it is a link"],
      [home, "it is a folder"],
      [open, "others may read it; chmod 600"],
    ] as const) {
      const { code, stderr } = await run(home, ["ls", "--log", file], folder);
      expect(code).toBe(2);
      expect(stderr).toMatch(/^lockstep: The log cannot be written to .*\n$/);
      expect(stderr).toContain(why);
    }
    expect(await readFile(open, "utf8")).toBe("");
  });

  it("lets no answer of an editor's steer the terminal", async () => {
    const { home, folder } = await project();
    const text = "one\n\u001b]0;owned\u0007\ttwo";
    await RawIde.start({
      home,
      folder,
      answers: {
        initialize: { protocolVersion: "2025-11-25", capabilities: {}, serverInfo: {} },
        "tools/call": { content: [{ type: "text", text }] },
      },
    });
    const line = `${process.execPath} ${LOCKSTEP} call anything --quiet`;
    const terminal = spawn("script", ["-qec", line, "/dev/null"], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: home },
    });
    let shown = "";
    terminal.stdout.on("data", (chunk) => (shown += chunk));
    await once(terminal, "close");
    expect(shown).toContain("two");
    expect(shown).not.toContain("\u001b");
    expect((await run(home, ["call", "anything"], folder)).stdout).toBe(`${text}\n`);
  });

  it("prints JSON without what JSON leaves raw and a terminal obeys", async () => {
    const { home, folder } = await project();
    const name = "Evil\u009b2J\u202e";
    await RawIde.start({ home, folder, name });
    for (const command of ["ls", "doctor"]) {
      const { stdout } = await run(home, [command, "--json"], folder);
      expect(stdout).not.toMatch(/[\u009b\u202e]/);
      const told = JSON.parse(stdout);
      expect((told.editors ?? told)[0].name).toBe(name);
    }
  });

  it("is quiet where it is asked to", async () => {
    const { home, folder } = await project();
    expect(await run(home, ["ls", "--quiet"], folder)).toEqual({ code: 0, stdout: "", stderr: "" });
  });
});

describe("lockstep completion", () => {
  it("completes commands, flags, tools and folders in a real bash", async () => {
    const { home, folder } = await project();
    await mkdir(join(folder, "docs-of-ours"));
    const { stdout } = await run(home, ["completion", "bash"]);
    const complete = async (...words: readonly string[]) => {
      const script = `${stdout}
COMP_WORDS=(lockstep "$@"); COMP_CWORD=$#; _lockstep; printf '%s\\n' "\${COMPREPLY[@]}"`;
      const shell = spawn("bash", ["-c", script, "bash", ...words], { cwd: folder });
      let printed = "";
      shell.stdout.on("data", (chunk) => (printed += chunk));
      await once(shell, "close");
      return printed.trim().split("\n");
    };
    expect(await complete("doc")).toEqual(["doctor"]);
    expect(await complete("docs")).toEqual(["docs-of-ours"]);
    expect(await complete("doctor", "--f")).toEqual(["--fix"]);
    expect(await complete("call", "getC")).toEqual(["getCurrentSelection"]);
    expect(await complete("completion", "z")).toEqual(["zsh"]);
  });

  it("has every command and flag for zsh and fish, too", async () => {
    const { home } = await project();
    for (const shell of ["zsh", "fish"]) {
      const { stdout, code } = await run(home, ["completion", shell]);
      expect(code).toBe(0);
      for (const word of ["doctor", "verify", "getOpenEditors"]) expect(stdout).toContain(word);
      expect(stdout).toMatch(shell === "zsh" ? /--fix\[/ : /-l fix /);
    }
    expect((await run(home, ["completion", "tcsh"])).code).toBe(2);
    expect(LOCKSTEP).toContain("lockstep.js");
  });
});
