import type { Page } from "playwright-core";
import { expect } from "vitest";

/** Shows the terminals, with a shell if there is none, and puts the focus there. */
export async function openTerminal(page: Page): Promise<void> {
  await page.keyboard.press("Control+Backquote");
  await page.getByRole("textbox", { name: /^Terminal / }).waitFor();
}

/** The lines of the terminal that is in front. */
export async function terminalScreen(page: Page): Promise<string> {
  const rows = page.locator(".terminal-screen:not(.terminal-hidden) .xterm-rows > div");
  return (await rows.allTextContents()).map((row) => row.trimEnd()).join("\n");
}

/** Waits until the terminal in front shows this. */
export async function terminalShows(
  page: Page,
  what: RegExp | ((screen: string) => boolean),
): Promise<void> {
  const matches = typeof what === "function" ? what : (screen: string) => what.test(screen);
  await expect.poll(() => terminalScreen(page), { timeout: 40_000 }).toSatisfy(matches);
}
