import { once } from "node:events";
import { chmod, mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { InMemoryEditor } from "@lockstep/editor";
import { serve } from "@lockstep/server";
import { describe, expect, it, onTestFinished } from "vitest";
import { freshHome, run, serveJson, start } from "./command.js";

const GOOD_AGENT = fileURLToPath(new URL("good-agent.mjs", import.meta.url));
const LOCKSTEP = fileURLToPath(new URL("../bin/lockstep.js", import.meta.url));

interface Row {
  readonly clause: string;
  readonly title: string;
  readonly result: "pass" | "fail" | "skipped";
  readonly why?: string;
}

async function project() {
  const home = await freshHome();
  onTestFinished(() => rm(home, { recursive: true }));
  const folder = join(home, "project");
  await mkdir(folder);
  return { home, folder };
}

const rows = (stdout: string) => JSON.parse(stdout) as Row[];

const failed = (all: readonly Row[]) => all.filter(({ result }) => result === "fail");

describe("lockstep verify", () => {
  it("finds nothing wrong with lockstep serve, and leaves no file behind", async () => {
    const { home, folder } = await project();
    await using _server = await serveJson(home, [folder, "--decide", "accept"]);
    const { code, stdout } = await run(home, ["verify", "--json"], folder);
    const all = rows(stdout);
    expect(failed(all)).toEqual([]);
    expect(code).toBe(0);
    const row = (clause: string) => all.find((one) => one.clause === clause);
    expect(row("C37")).toMatchObject({ result: "pass" });
    expect(row("C38")).toMatchObject({
      result: "skipped",
      why: expect.stringContaining("by itself"),
    });
    expect(await readdir(folder)).toEqual([]);
  });

  it("says in a table what is wrong, and exits with 1", async () => {
    const { home, folder } = await project();
    await using server = await serveJson(home, [folder]);
    const { lockFile, port } = server.ready;
    await chmod(lockFile, 0o644);
    const ways = [
      ["--lock", lockFile],
      ["--ide", String(port)],
    ];
    const runs = await Promise.all(ways.map((way) => run(home, ["verify", ...way], "/")));
    for (const { code, stdout } of runs) {
      expect(code).toBe(1);
      expect(stdout).toMatch(/^CLAUSE +RESULT +TITLE +WHY\n/);
      expect(stdout).toMatch(/\nC55 +fail +Only the user .* its mode is 644, not 600\n/);
      expect(stdout).toMatch(/\nC37 +skipped .* somebody has to accept a proposal\n/);
      expect(stdout).toMatch(/\n\d+ passed, 1 failed, \d+ skipped\n$/);
    }
  });

  it("asks a person to decide where it is told to", async () => {
    const { home, folder } = await project();
    const editor = new InMemoryEditor({ folders: [folder] });
    const configDir = join(home, ".claude");
    await using server = await serve(editor, { configDir, stateDir: join(home, "state") });
    const [lock = ""] = server.lockFiles;
    const child = start(home, ["verify", "--lock", lock, "--interactive", "--json"]);
    const asked: string[] = [];
    createInterface({ input: child.stderr! }).on("line", (line) => {
      const [, decision, tab] = /^Please (accept|reject) in the editor: (.*)$/.exec(line) ?? [];
      const proposal = editor.proposals.find(({ label }) => label === tab);
      asked.push(String(decision));
      if (proposal) editor[decision as "accept" | "reject"](proposal.id);
    });
    const all = rows(await text(child.stdout!));
    expect(asked).toEqual(["accept", "reject"]);
    for (const clause of ["C37", "C38"])
      expect(all.find((row) => row.clause === clause)).toMatchObject({ result: "pass" });
  });

  it("says how it is used, and that no editor is there", async () => {
    const { home, folder } = await project();
    const wrong = [["--agent"], ["claude"], ["--ide", "x"], ["--ide", "1", "--lock", "a"]];
    for (const args of wrong) expect((await run(home, ["verify", ...args])).code).toBe(2);
    const none = await run(home, ["verify"], folder);
    expect(none).toMatchObject({ code: 1, stdout: "" });
    expect(none.stderr).toContain("No running editor");
    expect((await run(home, ["verify", "--help"])).stdout).toContain("Examples:");
  });
});

describe("lockstep verify --agent", () => {
  it("finds nothing wrong with an agent of our client, and cleans up", async () => {
    const { home, folder } = await project();
    const command = ["--", process.execPath, GOOD_AGENT];
    const { code, stdout } = await run(home, ["verify", "--agent", "--json", ...command], folder);
    expect(failed(rows(stdout))).toEqual([]);
    expect(code).toBe(0);
    expect(rows(stdout).map(({ clause }) => clause)).toContain("C58");
    expect(await readdir(join(home, ".claude", "ide"))).toEqual([]);
  });

  it("says what an agent leaves out that leaves early", async () => {
    const { home, folder } = await project();
    const command = ["--", process.execPath, LOCKSTEP, "call", "getDiagnostics"];
    const { code, stdout } = await run(home, ["verify", "--agent", "--json", ...command], folder);
    expect(code).toBe(1);
    const clauses = failed(rows(stdout)).map(({ clause }) => clause);
    expect(clauses).toContain("C22");
    expect(clauses).toContain("C52");
    expect(clauses).not.toContain("C58");
  });

  it("ends the agent and cleans up when it is stopped", async () => {
    const { home, folder } = await project();
    const silent = "console.log(process.pid); setInterval(() => {}, 1e6)";
    const child = start(home, ["verify", "--agent", "--", process.execPath, "-e", silent], folder);
    const [line] = await once(createInterface({ input: child.stderr! }), "line");
    child.kill("SIGTERM");
    const [code] = await once(child, "exit");
    expect(code).toBe(1);
    expect(() => process.kill(Number(line), 0)).toThrow("ESRCH");
    expect(await readdir(join(home, ".claude", "ide"))).toEqual([]);
  });

  it("does not wait for an agent that cannot be started", async () => {
    const { home, folder } = await project();
    const configDir = join(home, "elsewhere");
    const args = ["verify", "--agent", "--config-dir", configDir, "--", join(home, "nothing")];
    const { code, stdout, stderr } = await run(home, args, folder);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^lockstep: There is no program .* on your PATH\n$/);
    expect(await readdir(join(configDir, "ide"))).toEqual([]);
  });
});
