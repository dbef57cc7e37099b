import type { Browser, Locator, Page } from "playwright-core";
import { Stage } from "./stage.js";

/** JSON of a cell, or of a part of it. */
export type Fields = Readonly<Record<string, unknown>>;

export const lines = (text: string) => (text === "" ? [] : text.split(/(?<=\n)/));
export const code = (source: string, more: Fields = {}) => ({
  cell_type: "code",
  execution_count: null,
  metadata: {},
  outputs: [],
  source: lines(source),
  ...more,
});
export const markdown = (source: string) => ({
  cell_type: "markdown",
  metadata: {},
  source: lines(source),
});
export const KERNEL = { display_name: "Python 3 (ipykernel)", language: "python", name: "python3" };
/** As Jupyter writes it. */
export const notebook = (...cells: readonly Fields[]) =>
  `${JSON.stringify(
    { cells, metadata: { kernelspec: KERNEL, kept: [1] }, nbformat: 4, nbformat_minor: 4 },
    null,
    1,
  )}\n`;

/** Opens a notebook by its name, as a person does who knows it. */
export async function openNotebook(page: Page, name = "a.ipynb"): Promise<void> {
  await page.keyboard.press("Control+P");
  await page.getByRole("combobox").fill(name);
  await page.keyboard.press("Control+Enter");
  await page.getByRole("region", { name: "Notebook" }).waitFor();
  await cell(page, 1).waitFor();
}

/** Counted from 1. */
export const cell = (page: Page, number: number): Locator =>
  page.getByRole("group", { name: new RegExp(`^\\w+ cell ${number}\\b`) });
export const textOf = (page: Page, number: number): Locator =>
  cell(page, number).locator(".cm-content");

/** Puts the cursor to the end of a cell's text. */
export async function enter(page: Page, number: number): Promise<void> {
  await textOf(page, number).click();
  await page.keyboard.press("Control+End");
}

export const isUnsaved = (page: Page) =>
  page.getByRole("tab", { name: /a\.ipynb.*unsaved/i }).waitFor();

/** Saves, and answers what is in the file then. */
export async function saved(stage: Stage, page: Page) {
  await page.keyboard.press("Control+S");
  await page.getByRole("tab", { name: "a.ipynb", exact: true }).waitFor();
  return stage.workspace.read("a.ipynb");
}

/** A window on a notebook of these cells. */
export async function openCells(browser: Browser, ...cells: readonly Fields[]) {
  const text = notebook(...cells);
  const stage = await Stage.open(browser, { files: { "a.ipynb": text } });
  const page = await stage.page();
  await openNotebook(page);
  return { stage, page, text };
}

export const PLOT = "import matplotlib.pyplot as plt\nplt.plot([1, 3, 2])\nplt.show()";
export const TABLE = "import pandas as pd\npd.DataFrame({'hour': [0, 6], 'height': [1.5, -0.25]})";
