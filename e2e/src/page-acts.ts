import type { Locator, Page } from "playwright-core";

/** The text of the document in the middle. */
export const textbox = (page: Page): Locator => page.locator(".cm-content").first();

/** Opens a file by its name, to stay, as a person does who knows it. */
export async function openByName(page: Page, name: string): Promise<void> {
  await page.keyboard.press("Control+P");
  const field = page.getByRole("combobox", { name: "File" });
  await field.fill(name);
  await page.keyboard.press("Control+Enter");
  // Another file of that name may be shown already: this one is chosen when the list is gone.
  await field.waitFor({ state: "detached" });
  const file = name.split("/").at(-1) ?? name;
  await page.getByRole("tab", { name: file, selected: true }).waitFor();
  // A review or a turn that was there before has texts of its own.
  await page.getByRole("textbox", { name: `${file}, editor.` }).waitFor();
}

/** Chooses a command by its title, in the palette. */
export async function giveCommand(page: Page, title: string): Promise<void> {
  await page.keyboard.press("F1");
  await page.getByRole("combobox", { name: "Command" }).fill(title);
  await page.keyboard.press("Enter");
}

/** Puts the cursor at the start of a line, counted from 1. */
export async function goToLine(page: Page, line: number): Promise<void> {
  await textbox(page).click();
  await page.keyboard.press("Control+Home");
  for (let at = 1; at < line; at++) await page.keyboard.press("ArrowDown");
}

/** Selects whole lines, from one to another, counted from 1. */
export async function selectLines(page: Page, first: number, last: number): Promise<void> {
  await goToLine(page, first);
  for (let at = first; at <= last; at++) await page.keyboard.press("Shift+ArrowDown");
}

/** What the status bar says that agents see. */
export const sight = (page: Page): Locator => page.locator(".agents-sharing").getByRole("status");

export const sharingSwitch = (page: Page): Locator =>
  page.getByRole("switch", { name: "Share what I look at with agents" });

/** The tab of a proposal for a file. */
export function reviewTab(page: Page, name: string): Locator {
  const pattern = `^${name.replaceAll(".", "\\.")} .*, review$`;
  return page.getByRole("tab", { name: new RegExp(pattern) });
}
