import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { within } from "../src/bounded.js";
import { claudeCommand } from "../src/claude.js";
import { MessagesApi } from "../src/messages-api.js";
import { titled, whyNoClaude } from "../src/needs.js";
import { Terminal } from "../src/terminal.js";
import { Workspace } from "../src/workspace.js";

const reason = whyNoClaude();
const lockstep = fileURLToPath(new URL("../../packages/cli/bin/lockstep.js", import.meta.url));

interface Row {
  readonly clause: string;
  readonly title: string;
  readonly result: string;
  readonly why?: string;
}

describe.skipIf(reason)(titled("lockstep verify --agent with the real CLI", reason), () => {
  it("finds that it keeps every clause for agents, and leaves no lock file behind", async () => {
    const workspace = await Workspace.create();
    onTestFinished(() => workspace.remove());
    const api = await MessagesApi.start();
    onTestFinished(() => api.stop());
    const claude = await claudeCommand({ workspace, api });
    const results = join(workspace.root, "results.json");
    const verify = [process.execPath, lockstep, "verify", "--agent", "--json", "--"];
    // The results go to a file, the CLI's screen to the terminal.
    const redirect = ["sh", "-c", `"$@" > '${results}'`, "sh"];
    const command = [...redirect, ...verify, ...claude.command];
    const terminal = await Terminal.start({ ...claude, command });
    onTestFinished(() => terminal.close());

    await within(90_000, terminal.ended, () => "lockstep verify to end");

    const rows = JSON.parse(await readFile(results, "utf8")) as Row[];
    expect(rows.filter(({ result }) => result !== "pass")).toEqual([]);
    expect(rows.map(({ clause }) => clause)).toContain("C52");
    expect(await readdir(join(workspace.configDir, "ide"))).toEqual([]);
  });
});
