import { expect, it } from "vitest";
import { whyMissing } from "../../scripts/setup-system.mjs";
import { inBrowser } from "../src/in-browser.js";
import {
  cell,
  code,
  enter,
  type Fields,
  isUnsaved,
  KERNEL,
  markdown,
  notebook,
  openCells,
  openNotebook,
  PLOT,
  saved,
  TABLE,
  textOf,
} from "../src/notebook-acts.js";
import { giveCommand } from "../src/page-acts.js";
import { Stage } from "../src/stage.js";

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
    const { stage, page, text } = await openCells(browser(), ...cells);
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
    const { stage, page, text } = await openCells(browser(), code("a = 1"), code("b = 2\nc = 3"));
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
    const { stage, page } = await openCells(
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

  it("shows pictures as large as they are meant, and columns on the side that was chosen", async () => {
    const { page } = await openCells(
      browser(),
      markdown("| word | number |\n| --- | --: |\n| one | 1 |\n"),
      code("", {
        outputs: [
          {
            output_type: "display_data",
            data: {
              "image/svg+xml": "<svg xmlns='http://www.w3.org/2000/svg' width='80' height='40'/>",
            },
            metadata: { "image/svg+xml": { width: 160 } },
          },
          {
            output_type: "display_data",
            data: { "text/html": "<table><tr><td colspan='2'>both</td></tr></table>" },
            metadata: {},
          },
        ],
      }),
    );
    const picture = cell(page, 2).locator("img");
    await expect.poll(async () => (await picture.boundingBox())?.width).toBe(160);
    expect((await picture.boundingBox())?.height).toBe(80);
    const both = cell(page, 2).getByText("both");
    await expect.poll(() => both.getAttribute("colspan")).toBe("2");
    const side = cell(page, 1).locator("td").last();
    await expect.poll(() => side.evaluate((td) => getComputedStyle(td).textAlign)).toBe("right");
  });

  it("follows what an agent writes into its file while a cell is edited, and asks where both changed", async () => {
    const { stage, page, text } = await openCells(browser(), code("a = 1"), code("b = 2"));
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
    const { stage, page } = await openCells(browser(), code("a = 1"), markdown("words"));
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

  it("can be shown as text and back, and one that is none says why", async () => {
    const { stage, page, text } = await openCells(browser(), code("a = 1"));
    await giveCommand(page, "Open as Text");
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
});
