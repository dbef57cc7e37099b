import type { Page } from "playwright-core";
import { within } from "./patience.js";
import type { Seen, Sight } from "./witness.js";

/** Milliseconds since 1970, on the clock that the witness in the page reads as well. */
export function wallTime(): number {
  return performance.timeOrigin + performance.now();
}

/** Waits until the page shows something. */
export function see(page: Page, sight: Sight): Promise<Seen> {
  const seen = page.evaluate((what) => globalThis.benchWitness.see(what), sight);
  const what = sight.text === undefined ? sight.selector : `${sight.selector} with ${sight.text}`;
  return within(seen, `The page showed no ${what}`);
}

/** A click of the mouse on what is seen; resolves to when. */
export async function click(page: Page, sight: Sight): Promise<number> {
  const { x, y } = await see(page, sight);
  await page.mouse.click(x, y);
  return page.evaluate(() => globalThis.benchWitness.clickedAt);
}
