import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Selection } from "@lockstep/client";
import type { Browser, Locator, Page } from "playwright-core";
import { expect, it, onTestFinished } from "vitest";
import { whyMissing } from "../../scripts/setup-system.mjs";
import { faultsOf } from "../src/axe.js";
import { systemPath, whyNotBare, withoutJupyter } from "../src/bare-machine.js";
import { inBrowser } from "../src/in-browser.js";
import { Journal } from "../src/journal.js";
import { sight } from "../src/page-acts.js";
import { Stage } from "../src/stage.js";

type Fields = Readonly<Record<string, unknown>>;

const lines = (text: string) => (text === "" ? [] : text.split(/(?<=\n)/));
const code = (source: string, more: Fields = {}) => ({
  cell_type: "code",
  execution_count: null,
  metadata: {},
  outputs: [],
  source: lines(source),
  ...more,
});
const markdown = (source: string) => ({
  cell_type: "markdown",
  metadata: {},
  source: lines(source),
});
const KERNEL = { display_name: "Python 3 (ipykernel)", language: "python", name: "python3" };
/** As Jupyter writes it. */
const notebook = (...cells: readonly Fields[]) =>
  `${JSON.stringify(
    { cells, metadata: { kernelspec: KERNEL, kept: [1] }, nbformat: 4, nbformat_minor: 4 },
    null,
    1,
  )}\n`;

/** Opens a notebook by its name, as a person does who knows it. */
async function openNotebook(page: Page, name = "a.ipynb"): Promise<void> {
  await page.keyboard.press("Control+P");
  await page.getByRole("combobox").fill(name);
  await page.keyboard.press("Control+Enter");
  await page.getByRole("region", { name: "Notebook" }).waitFor();
  await cell(page, 1).waitFor();
}

/** Counted from 1. */
const cell = (page: Page, number: number): Locator =>
  page.getByRole("group", { name: new RegExp(`^\\w+ cell ${number}\\b`) });
const textOf = (page: Page, number: number): Locator => cell(page, number).locator(".cm-content");

/** Puts the cursor to the end of a cell's text. */
async function enter(page: Page, number: number): Promise<void> {
  await textOf(page, number).click();
  await page.keyboard.press("Control+End");
}

const command = async (page: Page, title: string) => {
  await page.keyboard.press("F1");
  await page.getByRole("combobox").fill(title);
  await page.keyboard.press("Enter");
};

const isUnsaved = (page: Page) => page.getByRole("tab", { name: /a\.ipynb.*unsaved/i }).waitFor();

async function saved(stage: Stage, page: Page) {
  await page.keyboard.press("Control+S");
  await page.getByRole("tab", { name: "a.ipynb", exact: true }).waitFor();
  return stage.workspace.read("a.ipynb");
}

async function start(browser: Browser, ...cells: readonly Fields[]) {
  const text = notebook(...cells);
  const stage = await Stage.open(browser, { files: { "a.ipynb": text } });
  const page = await stage.page();
  await openNotebook(page);
  return { stage, page, text };
}

const PLOT = "import matplotlib.pyplot as plt\nplt.plot([1, 3, 2])\nplt.show()";
const TABLE = "import pandas as pd\npd.DataFrame({'hour': [0, 6], 'height': [1.5, -0.25]})";

inBrowser({ name: "a notebook that was found by a search", timeout: 120_000 }, (browser) => {
  it("is opened at the cell that has it; what is in none is offered as text", async () => {
    const cells = Array.from({ length: 40 }, (_, at) => code(`a = ${at}\nb = 2`));
    const files = { "a.ipynb": notebook(...cells, code("needle = 1"), code("c = 3")) };
    const stage = await Stage.open(browser(), { files });
    const page = await stage.page();
    await page.keyboard.press("Control+Shift+F");
    await page.getByLabel("Search for").fill("needle");
    await page.getByRole("treeitem", { name: /needle = 1/ }).click();
    await cell(page, 41).and(page.locator("[aria-current]")).waitFor();
    await expect
      .poll(() =>
        cell(page, 41).evaluate((element) => {
          const { top, bottom } = element.getBoundingClientRect();
          return top > 0 && bottom < innerHeight;
        }),
      )
      .toBe(true);

    await page.getByLabel("Search for").fill("nbformat_minor");
    await page.getByRole("treeitem", { name: /nbformat_minor/ }).click();
    await page.getByRole("button", { name: "Open as text" }).click();
    await page.locator(".editor .cm-line", { hasText: "nbformat_minor" }).waitFor();
    await page.getByRole("button", { name: /selected\)/ }).waitFor();
    expect(stage.complaints).toEqual([]);
  });
});

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
  it("is shown as cells, edited and run: text, a table, a picture, an error; its file keeps the rest", async () => {
    const cells = [
      markdown("# Tides\n\n*high* and `low`"),
      code("print('\\033[32mready\\033[0m')"),
      code(TABLE),
      code(PLOT),
      code("raise ValueError('the tide is out')"),
      code("print('never')"),
    ];
    const { stage, page, text } = await start(browser(), ...cells);
    await page.getByRole("heading", { name: "Tides" }).waitFor();
    expect(await saved(stage, page)).toBe(text);

    await enter(page, 2);
    await page.keyboard.type("\n40 + 2");
    await isUnsaved(page);
    expect(await saved(stage, page)).toBe(
      text.replace(
        `"print('\\\\033[32mready\\\\033[0m')"`,
        `"print('\\\\033[32mready\\\\033[0m')\\n",\n    "40 + 2"`,
      ),
    );
    await page.getByRole("button", { name: "Run all", exact: true }).click();
    await cell(page, 2).getByText("42", { exact: true }).waitFor();
    expect(await cell(page, 2).locator(".nb-colour-2").textContent()).toBe("ready");
    await cell(page, 3).getByRole("columnheader", { name: "height" }).waitFor();
    expect(await cell(page, 3).getByRole("cell").allTextContents()).toContain("-0.25");
    const picture = cell(page, 4).getByRole("img", { name: /Figure/ });
    await picture.waitFor();
    expect(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(
      99,
    );
    await cell(page, 5).getByText("ValueError: the tide is out").waitFor();
    await cell(page, 5)
      .getByText(/Failed after/)
      .waitFor();
    expect(await cell(page, 6).locator(".nb-outputs").count()).toBe(0);
    await page.getByRole("button", { name: /^Kernel: Python 3 .*idle/ }).waitFor();

    const now = JSON.parse(await saved(stage, page));
    expect(now.metadata).toEqual({ kernelspec: KERNEL, kept: [1] });
    expect(now.cells.map(({ execution_count }: Fields) => execution_count)).toEqual([
      undefined,
      1,
      2,
      3,
      4,
      null,
    ]);
    expect(now.cells[2].outputs[0].data["text/html"].join("")).toContain("dataframe");
    expect(now.cells[3].outputs[0].data["image/png"]).toMatch(/^iVBOR/);
    expect(stage.complaints).toEqual([]);

    await page.getByRole("button", { name: "Clear outputs" }).click();
    await page.locator(".nb-error").waitFor({ state: "detached" });
    expect(JSON.parse(await saved(stage, page)).cells[3].outputs).toEqual([]);
  });

  it("is worked with by keys alone, as in Jupyter, and what is done to cells is undone", async () => {
    const { stage, page, text } = await start(browser(), code("a = 1"), code("b = 2\nc = 3"));
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute("aria-label"));
    await cell(page, 1).focus();
    await page.keyboard.press("b");
    await expect.poll(focused).toMatch(/^Code cell 2/);
    await page.keyboard.press("Enter");
    await page.keyboard.type("inserted");
    await page.keyboard.press("Escape");
    await page.keyboard.press("m");
    await page.keyboard.press("Shift+Enter");
    await cell(page, 2).locator("p", { hasText: "inserted" }).waitFor();
    await expect.poll(focused).toMatch(/^Code cell 3/);
    await page.keyboard.press("a");
    await expect.poll(focused).toMatch(/^Code cell 3/);
    await page.keyboard.press("d");
    await page.keyboard.press("d");
    await expect.poll(() => page.locator(".nb-cell").count()).toBe(3);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Control+Home");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Control+Shift+Minus");
    await expect.poll(() => page.locator(".nb-cell").count()).toBe(4);
    await isUnsaved(page);
    const sources = async () =>
      JSON.parse(await saved(stage, page)).cells.map(({ source }: { source: string[] }) =>
        source.join(""),
      );
    expect(await sources()).toEqual(["a = 1", "inserted", "b = 2", "c = 3"]);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Alt+ArrowUp");
    await isUnsaved(page);
    expect(await sources()).toEqual(["a = 1", "inserted", "c = 3", "b = 2"]);
    await page.keyboard.press("z");
    await page.keyboard.press("z");
    await expect.poll(() => page.locator(".nb-cell").count()).toBe(3);
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("y");
    await page.keyboard.press("d");
    await page.keyboard.press("d");
    await expect.poll(() => page.locator(".nb-cell").count()).toBe(2);
    await expect.poll(() => stage.workspace.read("a.ipynb")).not.toBe(text);
    await page.keyboard.press("Control+S");
    await expect.poll(() => stage.workspace.read("a.ipynb")).toBe(text);
    // Above the first and below the last there is nothing to go to.
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowUp");
    await expect.poll(focused).toMatch(/^Code cell 1/);
    await page.keyboard.press("Alt+Enter");
    await cell(page, 1).getByText(/ms$/).waitFor();
    await expect.poll(() => page.locator(".nb-cell").count()).toBe(3);
  });

  it("stays where it is while the first table comes, so that cells are run one after the other by keys", async () => {
    // On the page there is nothing rich yet, and what shows it is still to be fetched.
    const { stage, page } = await start(
      browser(),
      code("'one'"),
      code("from IPython.display import HTML\nHTML('<b>rich</b>')"),
      code("'three'"),
    );
    await cell(page, 1).locator(".cm-content").waitFor();
    await enter(page, 1);
    await page.keyboard.press("Shift+Enter");
    await cell(page, 1).getByText("'one'").nth(1).waitFor();
    await page.keyboard.press("Shift+Enter");
    await cell(page, 2).locator("b").getByText("rich").waitFor();
    await page.keyboard.press("Shift+Enter");
    await cell(page, 3).getByText("'three'").nth(1).waitFor();
    expect(stage.complaints).toEqual([]);
  });

  it("is interrupted and restarted, and says so when its kernel is killed in a cell", async () => {
    const { stage, page } = await start(
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
    await command(page, "Notebook: Interrupt");
    await page.getByRole("group", { name: "Code cell 1, run 1" }).waitFor();
    expect(stage.complaints).toEqual([]);
  });

  it("follows what an agent writes into its file while a cell is edited, and asks where both changed", async () => {
    const { stage, page, text } = await start(browser(), code("a = 1"), code("b = 2"));
    await enter(page, 2);
    await stage.workspace.write(
      "a.ipynb",
      text.replace("a = 1", "a = 100").replace("b = 2", "b = 2 # two"),
    );
    await textOf(page, 1).filter({ hasText: "a = 100" }).waitFor();
    await textOf(page, 2).filter({ hasText: "b = 2 # two" }).waitFor();
    // The cursor has stayed where it was, before what was added.
    await page.keyboard.type("0");
    await textOf(page, 2).filter({ hasText: "b = 20 # two" }).waitFor();
    await isUnsaved(page);
    await stage.workspace.write("a.ipynb", text.replace("a = 1", "a = 7"));
    await page.getByText("The file has changed on disk and you have unsaved edits.").waitFor();
    await page.getByRole("button", { name: "Take the file’s" }).click();
    await textOf(page, 1).filter({ hasText: "a = 7" }).waitFor();
    await textOf(page, 2)
      .filter({ hasText: /^b = 2$/ })
      .waitFor();
  });

  it("is the same in two windows, after a reload, and after a crash with unsaved cells", async () => {
    const { stage, page } = await start(browser(), code("a = 1"), markdown("words"));
    const other = await stage.anotherPage();
    await openNotebook(other);
    await enter(page, 1);
    await page.keyboard.type("23");
    await textOf(other, 1).filter({ hasText: "a = 123" }).waitFor();
    await cell(other, 2).focus();
    await other.keyboard.press("a");
    await other.keyboard.press("Enter");
    await other.keyboard.type("from the other");
    await textOf(page, 2).filter({ hasText: "from the other" }).waitFor();
    await page.reload();
    await textOf(page, 1).filter({ hasText: "a = 123" }).waitFor();

    await enter(page, 1);
    await page.keyboard.type("4");
    await textOf(other, 1).filter({ hasText: "a = 1234" }).waitFor();
    await stage.lockstep.kill();
    await page.keyboard.type("5");
    await stage.crash();
    await page.keyboard.type("6");
    await textOf(other, 1).filter({ hasText: "a = 123456" }).waitFor();
    await page.keyboard.press("Control+S");
    await expect
      .poll(async () => JSON.parse(await stage.workspace.read("a.ipynb")).cells)
      .toEqual([code("a = 123456"), code("from the other"), markdown("words")]);
  });

  it("tells agents in which cell the person is, and shows what they run in its kernel", async () => {
    const { stage, page } = await start(browser(), code("secret = 41"), code("one\ntwo"));
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

  it("can be shown as text and back, and one that is none says why", async () => {
    const { stage, page, text } = await start(browser(), code("a = 1"));
    await command(page, "Open as Text");
    const editor = page.getByRole("region", { name: "Editor" });
    await editor.locator(".cm-content").filter({ hasText: '"nbformat": 4' }).waitFor();
    await page.reload();
    await editor.locator(".cm-content").filter({ hasText: '"nbformat": 4' }).waitFor();
    await page.getByRole("button", { name: "Open as notebook" }).click();
    await textOf(page, 1).waitFor();
    await stage.workspace.write("old.ipynb", '{"nbformat": 3, "worksheets": []}\n');
    await stage.workspace.write("empty.ipynb", "");
    const open = async (name: string) => {
      await page.keyboard.press("Control+P");
      await page.getByRole("combobox").fill(name);
      await page
        .getByRole("option", { name: new RegExp(name) })
        .first()
        .waitFor();
      await page.keyboard.press("Control+Enter");
    };
    await open("old.ipynb");
    await page.getByText(/it has the old format 3.*nbconvert/).waitFor();
    await open("empty.ipynb");
    await page.getByRole("button", { name: "Make it a notebook" }).click();
    await textOf(page, 1).waitFor();
    expect(await stage.workspace.read("a.ipynb")).toBe(text);
  });

  it("of hostile outputs and words runs nothing, fetches nothing and stays in its cells", async () => {
    const trap = (id: string) =>
      `<img id="${id}" src="http://127.0.0.1:9/x.png" onerror="document.title='taken'">`;
    const html = [
      "<script>document.title = 'taken'</script>",
      trap("by-tag"),
      "<style>body { display: none } .nb { position: fixed }</style>",
      `<div id="app" class="dialog toasts" style="position:fixed;inset:0;z-index:99;background:red">over all</div>`,
      "<a href='javascript:document.title=1' onclick='document.title=2'>link</a>",
      "<form action='http://127.0.0.1:9'><input name=x><button>send</button></form>",
      "<iframe src='http://127.0.0.1:9'></iframe><object data='x'></object><embed src='x'>",
      "<svg onload=\"document.title='taken'\"><use href='http://127.0.0.1:9/#a'/></svg>",
      "<math><mtext><table><mglyph><style><img src=x onerror=document.title=1></style></mglyph></table></mtext></math>",
      "<table background='http://127.0.0.1:9/b.png'><tr><td>cell</td></tr></table>",
      "<meta http-equiv=refresh content='0;url=http://127.0.0.1:9'><base href='http://127.0.0.1:9'><link rel=stylesheet href='http://127.0.0.1:9/x.css'>",
      "<picture><source srcset='http://127.0.0.1:9/s.png'><img srcset='http://127.0.0.1:9/t.png'></picture><video poster='http://127.0.0.1:9/p.png'></video>",
    ].join("\n");
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" onload="document.title='taken'" width="10" height="10"><script>document.title='taken'</script><image href="http://127.0.0.1:9/i.png"/></svg>`;
    const data = (bundle: Fields) => ({ data: bundle, metadata: {}, output_type: "display_data" });
    const outputs = [
      data({ "text/html": lines(html), "text/plain": "plain" }),
      data({ "image/svg+xml": svg, "text/plain": "a drawing" }),
      data({ "text/html": "<script>1</script>", "text/plain": "what is left" }),
      data({
        "image/png": '"><img id=by-attribute src=x onerror=document.title=1>',
        "text/plain": "x",
      }),
      data({ "application/x-own": "?" }),
      {
        name: "stdout",
        output_type: "stream",
        text: `${trap("by-text")}\u001b]0;title\u0007\u202e`,
      },
      { output_type: "odd <b>" },
    ];
    const words = `${html}\n\n[x](javascript:alert(1)) ![y](http://127.0.0.1:9/y.png)`;
    const text = notebook(code("1", { outputs }), markdown(words));
    const stage = await Stage.open(browser(), { files: { "a.ipynb": text } });
    const page = await stage.page();
    const requests: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    await openNotebook(page);
    await page.getByText("what is left").waitFor();
    await page.getByText("over all").first().waitFor();
    await page.getByRole("img", { name: "a drawing" }).waitFor();
    await page.getByText("An output that this page cannot show: [application/x-own].").waitFor();
    await page.getByText("An output of the unknown type “odd <b>”.").waitFor();
    expect(await page.title()).not.toMatch(/taken|^\d$/);
    const inside = page.locator(".nb-outputs, .nb-read");
    const dangers =
      "script, style, iframe, object, embed, form, input, link, meta, base, video, source, svg, math, [id], [class*=dialog], [style], [onclick], [onerror]";
    expect(await inside.locator(".nb-rich").locator(dangers).count()).toBe(0);
    expect(await page.locator("#by-tag, #by-attribute, #by-text").count()).toBe(0);
    expect(await page.locator("#app").count()).toBe(1);
    const links = await inside.getByRole("link").count();
    expect(links).toBe(0);
    expect(requests.filter((url) => url.includes("127.0.0.1:9/"))).toEqual([]);
    const { origin } = new URL(stage.lockstep.announcement.url ?? "");
    expect(requests.filter((url) => !url.startsWith(origin) && !url.startsWith("data:"))).toEqual(
      [],
    );
  });

  it("of 10 MB of pictures is opened and typed into without a wait", async () => {
    const png = "A".repeat(500_000);
    const output = { data: { "image/png": png }, metadata: {}, output_type: "display_data" };
    const cells = Array.from({ length: 20 }, (_, at) => code(`x${at} = 1`, { outputs: [output] }));
    const { stage, page } = await start(browser(), ...cells);
    await enter(page, 1);
    const sent: number[] = [];
    const client = await page.context().newCDPSession(page);
    await client.send("Network.enable");
    client.on("Network.webSocketFrameReceived", ({ response }) =>
      sent.push(response.payloadData.length),
    );
    const began = performance.now();
    await page.keyboard.type("0123456789".repeat(5));
    await textOf(page, 1).filter({ hasText: "01234567890123456789" }).waitFor();
    expect((performance.now() - began) / 50).toBeLessThan(100);
    await isUnsaved(page);
    expect(sent.reduce((sum, length) => sum + length, 0)).toBeLessThan(200_000);
    const { cells: written } = JSON.parse(await saved(stage, page));
    expect(written[0].source).toEqual([`x0 = 1${"0123456789".repeat(5)}`]);
    expect(written[19].outputs[0].data["image/png"]).toBe(png);
  });

  it.each(["light", "dark"] as const)(
    "has nothing that axe finds wrong, in %s",
    async (colorScheme) => {
      const text = notebook(
        markdown(
          "# Title\n\n| a | b |\n|---|---|\n| 1 | `2` |\n\n> quoted\n\n[a link](https://example.org)",
        ),
        code(`${TABLE}`),
        code(`${PLOT}`),
        code(
          "import sys\nprint('careful', file=sys.stderr)\nfor i in range(60): print(f'\\033[{31 + i % 6}mline {i}\\033[0m')",
        ),
        code("1 / 0"),
      );
      const stage = await Stage.open(browser(), { files: { "a.ipynb": text } });
      const context = await browser().newContext({ colorScheme, bypassCSP: true });
      onTestFinished(() => context.close());
      const page = await context.newPage();
      await page.goto(stage.lockstep.announcement.url ?? "");
      await page.getByRole("navigation", { name: "Views" }).waitFor();
      await openNotebook(page);
      await page.getByRole("button", { name: "Run all", exact: true }).click();
      await cell(page, 5).getByText("ZeroDivisionError").first().waitFor();
      expect(await faultsOf(page), "after a run").toEqual([]);
      await enter(page, 2);
      expect(await faultsOf(page), "in a text").toEqual([]);
      await page.getByRole("button", { name: /^Kernel:/ }).click();
      await page.getByRole("menu").waitFor();
      expect(await faultsOf(page), "with a menu").toEqual([]);
    },
  );
});
