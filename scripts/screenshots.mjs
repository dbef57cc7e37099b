/**
 * `npm run screenshots`: makes the pictures of the README anew, from the sample project of the demo, with
 * an agent on the real wire. They need the system's Chromium.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { build as bundle } from "esbuild";
import { chromium } from "playwright-core";
import { build, install, root } from "./checkout.mjs";
import { quietChromium } from "./quiet-chromium.mjs";

install();
build();
const folder = realpathSync(mkdtempSync(join(tmpdir(), "lockstep-screenshots-")));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
const { findIdes, connect } = await import("../packages/client/dist/index.js");
const { writeSampleProject, PROPOSALS, TURN } = await sampleProject();

for (const name of ["home", "state", "config", "harbour"]) mkdirSync(join(folder, name));
writeFileSync(join(folder, "home/.bashrc"), "PS1='\\W $ '\n");
const project = join(folder, "harbour");
await writeSampleProject(project);
const git = (...args) => once(spawn("git", args, { cwd: project, stdio: "ignore" }), "exit");
await git("init", "-q", "-b", "main");
await git("add", ".");
await git("-c", "user.name=Ada", "-c", "user.email=ada@example.org", "commit", "-qm", "Begin");

const editor = spawn(
  process.execPath,
  [`${root}packages/cli/bin/lockstep.js`, project, "--no-open", "--json"].concat([
    "--config-dir",
    join(folder, "config"),
  ]),
  {
    env: {
      PATH: process.env.PATH,
      HOME: join(folder, "home"),
      XDG_STATE_HOME: join(folder, "state"),
      SHELL: "/bin/bash",
    },
    stdio: ["ignore", "pipe", "inherit"],
  },
);
const [line] = await once(createInterface({ input: editor.stdout }), "line");
const { url, port } = JSON.parse(line);
const browser = await chromium.launch(quietChromium);
try {
  const ides = await findIdes({ configDir: join(folder, "config") });
  const agent = await connect(
    ides.find((ide) => ide.port === port),
    { clientName: "Claude Code" },
  );
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
  const page = await context.newPage();
  await page.goto(url);
  await picture(page, "welcome");

  await agent.tools.openFile({
    filePath: join(project, "src/tide.ts"),
    startText: "export function hoursDeeperThan",
    endText: "return hours;",
  });
  await page.getByRole("treeitem", { name: /src/ }).first().click();
  await page.getByText("sees lines").first().waitFor();
  await page.keyboard.press("Control+Backquote");
  await page.locator(".xterm-rows").filter({ hasText: "$" }).waitFor();
  await page.keyboard.type("git log --oneline\n");
  await page.locator(".xterm-rows").filter({ hasText: "Begin" }).waitFor();
  await picture(page, "editor");
  await page.keyboard.press("Control+Backquote");
  await page.keyboard.press("Control+Shift+M");
  await page.getByText("implicitly has an 'any' type").first().waitFor();
  await picture(page, "problems");
  await page.keyboard.press("Control+Shift+M");

  const answers = [PROPOSALS.tide, PROPOSALS.report, PROPOSALS.test].map(({ file, text }) =>
    agent.tools
      .openDiff({
        old_file_path: join(project, file),
        new_file_path: join(project, file),
        new_file_contents: text,
        tab_name: file,
      })
      .catch(() => null),
  );
  await page.getByRole("tab", { name: /^tide\.ts .*review$/ }).click();
  await page
    .getByRole("button", { name: /^Review/ })
    .first()
    .click();
  // In its first moment a review takes no answers.
  await page.getByRole("button", { name: /^Accept all/, disabled: false }).waitFor();
  await page.getByRole("button", { name: "Keep", exact: true }).first().click();
  await page.getByText("1 of 3 decided").waitFor();
  await picture(page, "review");
  await page.emulateMedia({ colorScheme: "dark" });
  await picture(page, "review-dark");
  await page
    .getByRole("button", { name: /^Agents/ })
    .first()
    .click();
  await page.getByRole("tab").first().click();
  await page.getByRole("list", { name: "Log" }).or(page.getByLabel("Log")).first().waitFor();
  await picture(page, "agents-dark");
  await page.emulateMedia({ colorScheme: "light" });

  await agent.tools.closeAllDiffTabs({});
  for (const [name, text] of Object.entries(TURN)) writeFileSync(join(project, name), text);
  await page
    .getByRole("button", { name: /^Turns/ })
    .first()
    .click();
  await page.getByText("ship.ts").first().click();
  await page.getByRole("button", { name: "Undo file" }).waitFor();
  await page.mouse.move(700, 600);
  await picture(page, "turn");

  await page
    .getByRole("button", { name: /^Files/ })
    .first()
    .click();
  await agent.tools.openFile({ filePath: join(project, "tides.ipynb"), preview: false });
  await page.getByRole("button", { name: "Run all", exact: true }).click();
  await page.getByText("21:00").first().waitFor();
  await picture(page, "notebook");
  await agent.close();
  await Promise.all(answers);

  const recording = join(folder, "recording.html");
  const fixture = `${root}packages/cli/test/recordings/claude-edit.jsonl`;
  const view = ["tap", "--view", fixture, "--out", recording];
  await once(spawn(process.execPath, [`${root}packages/cli/bin/lockstep.js`, ...view]), "exit");
  await page.goto(`file://${recording}`);
  await page.getByRole("option", { name: /request openDiff/ }).click();
  await page.screenshot({ path: `${root}docs/images/recording.png` });
} finally {
  await browser.close();
  editor.kill();
  await once(editor, "exit");
}

async function picture(page, name) {
  // Toasts come and go; a picture should not depend on when it was taken.
  await page.addStyleTag({ content: ".toasts { display: none }" });
  await page.evaluate("document.fonts.ready");
  await page.evaluate("new Promise((done) => setTimeout(done, 500))");
  await page.screenshot({ path: `${root}docs/images/${name}.png` });
}

/** The demo's project is inside of the command's bundle. */
async function sampleProject() {
  const outfile = join(folder, "sample-project.mjs");
  const entry = `${root}packages/cli/src/demo/sample-project.ts`;
  await bundle({ entryPoints: [entry], outfile, format: "esm", platform: "node" });
  return import(outfile);
}
