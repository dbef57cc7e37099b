import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Selection } from "@lockstep/client";
import { expect, it } from "vitest";
import { whyMissing } from "../../scripts/setup-system.mjs";
import { systemPath, whyNotBare, withoutJupyter } from "../src/bare-machine.js";
import { inBrowser } from "../src/in-browser.js";
import { Journal } from "../src/journal.js";
import {
  cell,
  code,
  enter,
  isUnsaved,
  notebook,
  openCells,
  openNotebook,
  saved,
} from "../src/notebook-acts.js";
import { giveCommand, sight } from "../src/page-acts.js";
import { Stage } from "../src/stage.js";

inBrowser(
  { name: "a notebook without Jupyter", timeout: 120_000, unless: whyNotBare() },
  (browser) => {
    it("says how to install it, and can be edited; once it is there, that is gone", async () => {
      const files = { "a.ipynb": notebook(code("1 + 1")) };
      const bare = { env: systemPath, through: withoutJupyter };
      const stage = await Stage.open(browser(), { files, ...bare });
      const page = await stage.page();
      await openNotebook(page);
      await page.getByText("Cells run in Jupyter, which is not on this machine yet.").waitFor();
      const install = await page.locator(".nb-command code").textContent();
      expect(install).toMatch(/install (python3-)?ipykernel$/);
      await page.getByRole("button", { name: "Copy the command" }).click();
      await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(install);
      await enter(page, 1);
      await page.keyboard.type("0");
      await isUnsaved(page);
      expect(await saved(stage, page)).toContain("1 + 10");
      await page.getByRole("button", { name: "Look again" }).click();
      await page.locator(".nb-command").waitFor();
      const kernel = join(stage.workspace.home, ".local/share/jupyter/kernels/python3");
      await mkdir(kernel, { recursive: true });
      const spec = { argv: ["/usr/bin/python3"], display_name: "Mine", language: "python" };
      await writeFile(join(kernel, "kernel.json"), JSON.stringify(spec));
      await page.getByRole("button", { name: "Look again" }).click();
      await page.locator(".nb-command").waitFor({ state: "detached" });
    });
  },
);

inBrowser({ name: "a notebook", timeout: 180_000, unless: whyMissing("jupyter") }, (browser) => {
  it("is interrupted and restarted, and says so when its kernel is killed in a cell", async () => {
    const { stage, page } = await openCells(
      browser(),
      code("import os, time\nx = os.getpid()\nprint('begun', flush=True)\ntime.sleep(600)"),
      code("print(x)"),
    );
    await page.getByRole("button", { name: "Run all", exact: true }).click();
    await cell(page, 1).getByText("begun").waitFor();
    await page.getByRole("group", { name: "Code cell 1, running" }).waitFor();
    await page.getByRole("group", { name: "Code cell 2, waiting to run" }).waitFor();
    await page.getByRole("button", { name: "Interrupt" }).click();
    await cell(page, 1)
      .getByText(/^KeyboardInterrupt/m)
      .first()
      .waitFor();
    await page.getByRole("group", { name: "Code cell 2, not run" }).waitFor();
    // The button cannot be pressed any more: the cell has the focus that it lost.
    await expect
      .poll(() => page.evaluate("document.activeElement.getAttribute('aria-label')"))
      .toMatch(/^Code cell 1/);

    await cell(page, 2).focus();
    await page.keyboard.press("Control+Enter");
    const pid = Number(await cell(page, 2).locator(".nb-text").textContent());
    await page.getByRole("button", { name: "Run cell 1" }).click();
    await page.getByRole("group", { name: "Code cell 1, running" }).waitFor();
    process.kill(pid, "SIGKILL");
    await page.getByText(/The kernel died while this code ran/).waitFor();
    await cell(page, 1)
      .getByText(/Stopped after/)
      .waitFor();
    await page.getByRole("button", { name: "Restart the kernel" }).last().click();
    await page.getByRole("button", { name: /^Kernel: .*idle/ }).waitFor();
    await page.getByText(/The kernel died/).waitFor({ state: "detached" });
    await cell(page, 2).focus();
    await page.keyboard.press("Control+Enter");
    await cell(page, 2).getByText("NameError").first().waitFor();

    await page.getByRole("button", { name: "Restart and run all" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Restart" }).click();
    await page.getByRole("group", { name: "Code cell 1, running" }).waitFor();
    await giveCommand(page, "Notebook: Interrupt");
    await page.getByRole("group", { name: "Code cell 1, run 1" }).waitFor();
    expect(stage.complaints).toEqual([]);
  });

  it("tells agents in which cell the person is, and shows what they run in its kernel", async () => {
    const { stage, page } = await openCells(browser(), code("secret = 41"), code("one\ntwo"));
    const agent = await stage.agent("Curious agent");
    const heard = new Journal<Selection>("selection", (selection) => JSON.stringify(selection));
    agent.on("selection_changed", (selection) => heard.note(selection));
    await enter(page, 2);
    await page.keyboard.press("Shift+Home");
    await sight(page).filter({ hasText: "sees line 2 of cell 2 of a.ipynb" }).waitFor();
    const { fileUrl } = await heard.waitFor(
      ({ text, range }) => text === "two" && range?.start.line === 1,
    );
    expect(fileUrl).toMatch(/^vscode-notebook-cell:\/.*\/a\.ipynb#1$/);

    await page.getByRole("button", { name: "Run cell 1" }).click();
    await cell(page, 1).getByText(/ms$/).waitFor();
    const ran = agent.tools.executeCode({ code: "print('for the agent', secret + 1)" });
    const dialog = page.getByRole("dialog");
    await dialog.waitFor();
    const allow = dialog.getByRole("button", { name: "Allow", exact: true });
    // In the first moment a question takes no answer.
    await expect
      .poll(async () => {
        await allow.click({ timeout: 1_000 }).catch(() => {});
        return dialog.count();
      })
      .toBe(0);
    expect(JSON.stringify(await ran)).toContain("for the agent 42");
    const shown = page.getByRole("region", { name: /Run by agents/ });
    await shown.getByText("print('for the agent', secret + 1)").waitFor();
    await shown.getByText("for the agent 42", { exact: true }).waitFor();
    expect(await saved(stage, page)).not.toContain("for the agent");
  });
});
