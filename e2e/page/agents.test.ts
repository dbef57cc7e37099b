import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { InMemoryEditor } from "@lockstep/editor";
import { serve } from "@lockstep/server";
import type { Page } from "playwright-core";
import { expect, it, onTestFinished } from "vitest";
import { inBrowser } from "../src/in-browser.js";
import { Journal } from "../src/journal.js";
import { openByName, selectLines, sight } from "../src/page-acts.js";
import { Stage } from "../src/stage.js";
import { terminalShows } from "../src/terminal-acts.js";

const files = { "a.ts": "one\ntwo\nthree\n", ".env": "KEY=swordfish\n" };

const panel = (page: Page) => page.getByRole("complementary", { name: "Agents" });

/** What in the status bar lies over something else of it, or outside of the window. */
const coveredInStatus = (page: Page) =>
  page.locator("footer").evaluate((bar) => {
    const parts = [...bar.querySelectorAll(".shell-status-side > *, .shell-status-side > * > *")]
      .map((part) => ({ part, box: part.getBoundingClientRect() }))
      .filter(({ part, box }) => box.width > 1 && !part.matches(".unseen"));
    const isOut = ({ box }: { box: DOMRect }) => box.right > innerWidth || box.left < 0;
    const words = ({ part }: { part: Element }) => part.textContent || part.className;
    const covered = parts.flatMap((one, at) =>
      parts
        .slice(at + 1)
        .filter(({ part }) => !one.part.contains(part))
        .filter(({ box }) => one.box.left < box.right - 1 && box.left < one.box.right - 1)
        .map((other) => `${words(one)} | ${words(other)}`),
    );
    return [...covered, ...parts.filter(isOut).map(words)];
  });

inBrowser("the agents on the page", (browser) => {
  async function open() {
    const stage = await Stage.open(browser(), { files });
    return { stage, page: await stage.page() };
  }

  it("are named in the status bar while they are connected", async () => {
    const { stage, page } = await open();
    await page.getByRole("button", { name: "No agent" }).click();
    await panel(page).getByText("claude --ide").waitFor();
    const agent = await stage.agent("Ada’s agent");
    await page.getByRole("contentinfo").getByRole("button", { name: "Ada’s agent" }).waitFor();
    await agent.close();
    await page.getByRole("button", { name: "No agent" }).waitFor();
    await panel(page).getByText("just left").waitFor();
    expect(stage.complaints).toEqual([]);
  });

  it("leave each other room in the status bar, on a tablet and with long names", async () => {
    const { stage, page } = await open();
    await stage.agent("An agent whose name is rather long, as some are");
    await openByName(page, "a.ts");
    await selectLines(page, 1, 2);
    await sight(page)
      .getByText(/lines 1–2/)
      .waitFor();
    for (const width of [1280, 1024, 768, 640]) {
      await page.setViewportSize({ width, height: 720 });
      expect(await coveredInStatus(page)).toEqual([]);
    }
  });

  it("may not come by themselves while another editor is open here, and the page says what to do", async () => {
    const { stage, page } = await open();
    const folders = [stage.workspace.project];
    const rival = new InMemoryEditor({ folders, name: "Rival" });
    const { configDir, stateDir } = stage.workspace;
    const server = await serve(rival, { configDir, stateDir });
    onTestFinished(() => server.stop());
    await page.getByRole("button", { name: "Another editor is open here" }).click();
    const dialog = page.getByRole("dialog", { name: "Another editor is open on this folder" });
    await dialog.getByText(`Rival on port ${server.port}, process ${process.pid}`).waitFor();
    await dialog.getByRole("button", { name: "Copy /ide" }).waitFor();
    await page.keyboard.press("Escape");
    await server.stop();
    await page
      .getByRole("button", { name: "Another editor is open here" })
      .waitFor({ state: "detached" });
  });

  it("are started by a click where claude is on the PATH", async () => {
    const bin = await mkdtemp(join(tmpdir(), "lockstep-bin-"));
    onTestFinished(() => rm(bin, { recursive: true }));
    await writeFile(
      join(bin, "claude"),
      "#!/bin/sh\necho port $CLAUDE_CODE_SSE_PORT\nread line\n",
      {
        mode: 0o755,
      },
    );
    const env = { PATH: `${bin}:${process.env.PATH}` };
    const stage = await Stage.open(browser(), { env });
    const page = await stage.page();
    await page.getByRole("button", { name: "Open Claude Code" }).first().click();
    await terminalShows(page, new RegExp(`port ${stage.lockstep.announcement.port}`));
  });

  it("have a log of what was sent, withheld and called", async () => {
    const { stage, page } = await open();
    const agent = await stage.agent();
    const selections = new Journal<string>("selection", (text) => text);
    agent.on("selection_changed", ({ text }) => selections.note(text));
    await openByName(page, "a.ts");
    await selectLines(page, 2, 3);
    // What is gone before the agent could hear of it is not sent.
    await selections.waitFor((text) => text.split("\n").length === 3);
    await openByName(page, ".env");
    await sight(page).filter({ hasText: "withheld" }).waitFor();
    await agent.tools.getOpenEditors();
    await page.getByRole("contentinfo").getByRole("button", { name: "Test agent" }).click();
    const log = panel(page).getByRole("region", { name: "Log" });

    await log.getByRole("button", { name: "Sent", exact: true }).click();
    // Once or several times: the agent may have heard it again.
    await log.getByText("a.ts, lines 2 to 3").first().waitFor();
    await log.getByRole("button", { name: "Called", exact: true }).click();
    await log.getByRole("button", { name: /getOpenEditors/ }).click();
    await log.getByText('"method": "tools/call"').waitFor();
    await log.getByRole("button", { name: "Withheld", exact: true }).click();
    await log
      .getByText(/^\.env: it holds secrets/)
      .first()
      .waitFor();
    expect(await panel(page).textContent()).not.toContain("swordfish");
  });

  it("ask the person before they open what lies outside, and only a deliberate yes is one", async () => {
    const { stage, page } = await open();
    const agent = await stage.agent();
    const ask = () => agent.tools.openFile({ filePath: "/etc/hostname" });
    const dialog = page.getByRole("dialog");
    // The page's clock stands still, so that "at once" means it on a slow machine as well.
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 1_000);

    const refused = expect(ask()).rejects.toThrow();
    await dialog.waitFor();
    // These were meant for something else.
    await page.keyboard.press("Enter");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Space");
    await page.clock.runFor(500);
    await dialog.waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await refused;

    const opened = ask();
    await dialog.waitFor();
    await page.clock.runFor(500);
    await dialog.getByRole("button", { name: "Allow", exact: true }).click();
    await page.getByRole("tab", { name: "hostname" }).waitFor();
    await opened;
  });
});
