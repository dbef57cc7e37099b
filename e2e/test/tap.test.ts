import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { verifyIde } from "@lockstep/conformance";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { faultsOf } from "../src/axe.js";
import { complaintsOf, launchBrowser, whyNoBrowser } from "../src/browser.js";
import { inputLine } from "../src/claude.js";
import { Ide } from "../src/ide.js";
import { LockstepCommand } from "../src/lockstep-command.js";
import { text, toolUse } from "../src/model-reply.js";
import { titled, whyNoClaude } from "../src/needs.js";
import { DONE, proposeEdit } from "../src/propose.js";
import { OPEN_FILE, Scene } from "../src/scene.js";
import { Workspace } from "../src/workspace.js";

const run = promisify(execFile);
const lockstep = fileURLToPath(new URL("../../packages/cli/bin/lockstep.js", import.meta.url));
const reason = whyNoClaude();
const noBrowser = whyNoBrowser();
const fixture = fileURLToPath(
  new URL("../../packages/cli/test/recordings/claude-edit.jsonl", import.meta.url),
);

describe.skipIf(reason)(titled("lockstep tap with the real CLI", reason), () => {
  it("carries an Edit that is accepted, and its recording plays either side", async () => {
    const scene = await Scene.open();
    const { workspace } = scene;
    const file = join(workspace.root, "recording.jsonl");
    const tap = [process.execPath, lockstep, "tap", "--quiet", "--portable", "--out", file, "--"];
    const agent = await scene.start({ through: tap });
    await agent.claude.attached(OPEN_FILE);
    const proposal = await proposeEdit(scene, agent, "a.txt");
    await scene.ide.accept(proposal.id);
    await agent.claude.terminal.waitFor(DONE);
    expect(await workspace.read("a.txt")).toBe("ONE\ntwo\n");
    await agent.claude.exit();

    const { port, lockFiles } = await scene.ide.ready;
    expect(await readdir(join(workspace.configDir, "ide"))).toEqual([`${port}.lock`]);
    const recording = await readFile(file, "utf8");
    expect(recording).toContain('\\"name\\":\\"claude-code\\"');
    expect(recording).toContain('\\"name\\":\\"openDiff\\"');
    expect(recording).not.toContain(workspace.project);
    const { authToken } = JSON.parse(await readFile(lockFiles[0]!, "utf8"));
    expect(recording).not.toContain(authToken);
    const keep = process.env.LOCKSTEP_KEEP_RECORDING;
    if (keep) await copyFile(file, keep);

    await workspace.write("a.txt", "one\ntwo\n");
    const env = {
      PATH: process.env.PATH,
      HOME: workspace.home,
      CLAUDE_CONFIG_DIR: workspace.configDir,
    };
    const replaying = run(process.execPath, [lockstep, "replay", file, "--fast"], {
      cwd: workspace.project,
      env,
    });
    const shown = await scene.ide.sights.waitFor(
      (sight) => sight.kind === "shown" && sight.proposal !== proposal.id,
    );
    if (shown.kind === "shown") await scene.ide.accept(shown.proposal);
    expect((await replaying).stdout).toMatch(/^\d+ answers, all as in the recording\.\n$/);

    const play = [
      process.execPath,
      lockstep,
      "replay",
      file,
      "--as",
      "ide",
      "--fast",
      "--quiet",
      "--",
    ];
    const second = await scene.start({ through: play });
    await second.claude.attached(OPEN_FILE);
    const input = { file_path: workspace.path("a.txt"), old_string: "one", new_string: "ONE" };
    second.api.script(toolUse("Edit", input), text(DONE));
    await second.claude.submit("make a.txt loud");
    await second.claude.terminal.waitFor(DONE);
    expect(await workspace.read("a.txt")).toBe("ONE\ntwo\n");
  });
});

describe.skipIf(reason)(titled("an editor behind the tap that is killed", reason), () => {
  it("is found again by the real CLI on another port, which it does not do without", async () => {
    const scene = await Scene.open();
    const { workspace } = scene;
    const file = join(workspace.root, "recording.jsonl");
    const tap = [process.execPath, lockstep, "tap", "--quiet", "--out", file, "--"];
    const { claude } = await scene.start({ through: tap });
    await claude.attached(OPEN_FILE);
    const before = await scene.ide.ready;

    await scene.ide.kill();
    await claude.terminal.waitFor((screen) => !inputLine(screen).includes("⧉"));
    await rm(workspace.stateDir, { recursive: true });
    const range = { start: { line: 1, character: 0 }, end: { line: 2, character: 5 } };
    scene.ide = await Ide.start(workspace, { path: workspace.path(OPEN_FILE), range });

    expect((await scene.ide.ready).port).not.toBe(before.port);
    await claude.terminal.waitFor((screen) => inputLine(screen).includes("⧉ 2 lines selected"));
  });
});

it("a tap keeps every clause of the protocol that the editor behind it keeps", async () => {
  const workspace = await Workspace.create();
  onTestFinished(() => workspace.remove());
  const serving = await LockstepCommand.serve(workspace);
  onTestFinished(async () => void (await serving.stop()));
  const { configDir, project, root, home } = workspace;
  const options = ["--print", "--json", "--quiet", "--out", join(root, "r.jsonl")];
  const tap = spawn(process.execPath, [lockstep, "tap", ...options, "--config-dir", configDir], {
    cwd: project,
    env: { PATH: process.env.PATH, HOME: home },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(async () => {
    tap.kill("SIGINT");
    await once(tap, "exit");
  });
  const [line] = await once(tap.stdout, "data");
  const { port, lockFile } = JSON.parse(line);
  // The tap announces no folder, and without one nothing can be tried.
  const lock = { ...JSON.parse(await readFile(lockFile, "utf8")), workspaceFolders: [project] };
  const elsewhere = join(root, "elsewhere", "ide");
  await mkdir(elsewhere, { recursive: true, mode: 0o700 });
  const copy = join(elsewhere, `${port}.lock`);
  await writeFile(copy, JSON.stringify(lock), { mode: 0o600 });
  const passed: string[] = [];
  const failed: unknown[] = [];
  for await (const result of verifyIde({ lockFile: copy })) {
    if (result.verdict.kind === "pass") passed.push(result.clause);
    if (result.verdict.kind === "fail") failed.push(result);
  }
  expect(failed).toEqual([]);
  expect(passed.length).toBeGreaterThan(40);
});

describe.skipIf(noBrowser)(titled("the page of a recording", noBrowser), () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  /** The page as a file, opened in a browser of the given colours. */
  async function opened(file: string, colorScheme: "light" | "dark" = "light", bypassCSP = false) {
    const workspace = await Workspace.create();
    onTestFinished(() => workspace.remove());
    const out = join(workspace.root, "page.html");
    await run(process.execPath, [lockstep, "tap", "--view", file, "--out", out]);
    const context = await browser.newContext({
      viewport: { width: 1280, height: 720 },
      colorScheme,
      bypassCSP,
    });
    onTestFinished(() => context.close());
    const page = await context.newPage();
    const complaints = complaintsOf(page);
    await page.goto(`file://${out}`);
    return { page, complaints };
  }

  const selected = (page: Page) => page.locator('[role="option"][aria-selected="true"]');

  it("pairs requests with their answers, and is used by keys alone", async () => {
    const { page, complaints } = await opened(fixture);
    const diff = page.getByRole("option", { name: "Agent request openDiff" });
    await diff.click();
    const details = page.getByRole("region", { name: "Frame" });
    await expect.poll(() => details.textContent()).toContain("new_file_contents");
    await page.keyboard.press("p");
    await expect
      .poll(() => selected(page).textContent())
      .toMatch(/Editor answer openDiff[\s\S]* ms$/);
    await expect.poll(() => details.textContent()).toContain("FILE_SAVED");
    await page.keyboard.press("p");
    await expect.poll(() => selected(page).textContent()).toContain("Agent request openDiff");
    await page.keyboard.press("Home");
    await expect.poll(() => selected(page).textContent()).toContain("open");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await expect.poll(() => selected(page).textContent()).toContain("initialize");
    await page.keyboard.press("/");
    await page.keyboard.type("file_saved");
    await expect.poll(() => page.getByRole("status").textContent()).toMatch(/^1 of \d+ frames$/);
    await page.keyboard.press("Escape");
    await page.getByRole("combobox", { name: "Filter by method" }).selectOption("openDiff");
    await expect.poll(() => page.getByRole("listbox").getByRole("option").count()).toBe(2);
    expect(complaints).toEqual([]);
  });

  it("has nothing for axe to find, in light and in dark", async () => {
    for (const scheme of ["light", "dark"] as const) {
      const { page } = await opened(fixture, scheme, true);
      await page.getByRole("option", { name: "Agent request openDiff" }).click();
      expect(await faultsOf(page)).toEqual([]);
    }
  });

  it("runs and fetches nothing of what a hostile recording holds", async () => {
    const evil = `"'><img src="http://127.0.0.1:9/x" onerror="document.title='gotcha'"></script><script>document.title='gotcha'</script>`;
    const moment = { at: 1, time: evil, connection: 1, from: "agent" };
    const lines = [
      {
        lockstep: "recording",
        version: 1,
        startedAt: evil,
        ide: { name: evil, folders: [evil] },
        command: [evil],
      },
      { ...moment, kind: "text", text: evil },
      {
        ...moment,
        kind: "text",
        text: JSON.stringify({ id: 1, method: evil, params: { [evil]: evil } }),
      },
      {
        ...moment,
        from: "ide",
        kind: "text",
        text: JSON.stringify({ id: 1, result: { content: [{ text: evil }] } }),
      },
      { ...moment, from: "tap", kind: "note", text: "\u202e\u001b[2J" },
      ...Array.from({ length: 20_000 }, () => ({ ...moment, kind: "text", text: "{}" })),
    ];
    const workspace = await Workspace.create();
    onTestFinished(() => workspace.remove());
    const file = join(workspace.root, "evil.jsonl");
    await writeFile(file, lines.map((line) => JSON.stringify(line)).join("\n"));
    const { page, complaints } = await opened(file);
    const requests: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    for (let place = 0; place < 5; place++) await page.keyboard.press("ArrowDown");
    await page.keyboard.press("End");
    await expect.poll(() => selected(page).getAttribute("aria-posinset")).toBe("20004");
    expect(await page.title()).toBe("Recording · Lockstep");
    expect(await page.locator("img").count()).toBe(0);
    expect(await page.getByRole("option").count()).toBeLessThan(100);
    expect(await page.locator("#app").innerHTML()).not.toContain("\u202e");
    expect(requests).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
