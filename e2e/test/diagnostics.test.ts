import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { agentIn } from "../src/agent-in.js";
import { LockstepCommand } from "../src/lockstep-command.js";
import { text, toolUse } from "../src/model-reply.js";
import { titled, whyNoClaude } from "../src/needs.js";
import { DONE } from "../src/propose.js";
import { Workspace } from "../src/workspace.js";

const reason = whyNoClaude();

const TSCONFIG = JSON.stringify({
  compilerOptions: { strict: true, module: "nodenext", target: "es2022", noEmit: true },
  include: ["src"],
});

/** A chain of modules, each of which uses the one before. */
function modules(count: number): Readonly<Record<string, string>> {
  const names = Array.from({ length: count }, (_, index) => index);
  return Object.fromEntries(
    names.map((index) => {
      const before = index === 0 ? "" : `import { value${index - 1} } from "./m${index - 1}.js";\n`;
      const sum = index === 0 ? "0" : `value${index - 1} + 1`;
      return [`src/m${index}.ts`, `${before}export const value${index}: number = ${sum};\n`];
    }),
  );
}

/** What is wrong with the file before anybody touches it. */
const OLD = "export const old: string = 1;\n";

/**
 * The editor as it is shipped, with no file open in it, and the CLI in the mode in which it writes
 * without asking.
 */
async function open(
  files: Readonly<Record<string, string>>,
  settings: Readonly<Record<string, unknown>> = {},
) {
  const workspace = await Workspace.create();
  onTestFinished(() => workspace.remove());
  await workspace.write("tsconfig.json", TSCONFIG);
  await workspace.write("package.json", '{"type":"module"}');
  for (const [name, content] of Object.entries(files)) await workspace.write(name, content);
  await workspace.writeSettings(settings);
  const lockstep = await LockstepCommand.edit(workspace);
  onTestFinished(async () => void (await lockstep.stop()));
  const args = ["--ide", "--permission-mode", "acceptEdits"];
  const { claude, api } = await agentIn(workspace, { args });
  await claude.connected();
  return { workspace, claude, api };
}

/** The lines of new problems that a request told the model of; null for none. */
const newProblems = (news: string): readonly string[] | null =>
  /<new-diagnostics>(.*)<\/new-diagnostics>/s.exec(news)?.[1]?.match(/^ +✘.*$/gm) ?? null;

const slowServer = fileURLToPath(
  new URL("../../packages/workbench/test/languages/fake-server.mjs", import.meta.url),
);

describe.skipIf(reason)(titled("what the real CLI tells the model of an edit", reason), () => {
  for (const [what, count, name] of [
    ["a small project", 3, "src/m1.ts"],
    ["a project of 2,000 files", 2_000, "src/m1000.ts"],
  ] as const) {
    it(`is exactly the problem that the edit has made, then none, in ${what}`, async () => {
      const files = modules(count);
      const { workspace, claude, api } = await open({ ...files, [name]: files[name] + OLD });
      const edit = (old_string: string, new_string: string) =>
        toolUse("Edit", { file_path: workspace.path(name), old_string, new_string });
      api.script(
        edit(": number =", ": string ="),
        edit(": string = v", ": number = v"),
        text(DONE),
      );
      await claude.submit("break it and mend it");
      await claude.terminal.waitFor(DONE);
      const [first, second, third] = api.requests.entries.filter(({ isTurn }) => isTurn);
      expect(newProblems(first?.news ?? "")).toBeNull();
      expect(newProblems(second?.news ?? "")).toEqual([
        expect.stringContaining("Type 'number' is not assignable to type 'string'. [2322] (ts)"),
      ]);
      expect(second?.news).toContain("[Line 2:14]");
      expect(third?.news).toContain("updated successfully");
      expect(newProblems(third?.news ?? "")).toBeNull();
    });
  }

  it("is exactly the problem that the edit has made, by a server that takes a quarter of a second", async () => {
    const command = [process.execPath, slowServer, "slow"];
    const settings = { languageServers: { slow: { command, languages: ["lua"] } } };
    // The server has the first when the agent comes, and hears of the other only from the agent.
    const files = { "a.lua": "fine\n", "lib/b.lua": "wrong before\nfine\n" };
    const { workspace, claude, api } = await open(files, settings);
    const file_path = workspace.path("lib/b.lua");
    api.script(
      toolUse("Edit", { file_path, old_string: "fine", new_string: "wrong now" }),
      text(DONE),
    );
    await claude.submit("break it");
    await claude.terminal.waitFor(DONE);
    const [, second] = api.requests.entries.filter(({ isTurn }) => isTurn);
    expect(newProblems(second?.news ?? "")).toEqual([expect.stringContaining("wrong now")]);
  });
});
