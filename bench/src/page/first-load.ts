import type { Row } from "../figures.js";
import { ColdBrowser } from "./chromium.js";
import type { PageMetricId } from "./metrics.js";
import type { Product } from "./product.js";
import { see, wallTime } from "./seeing.js";
import { Transfer } from "./transfer.js";

/** The file that is opened; it must be in sight when the tree is. */
export const FIRST_FILE = "first.ts";
/** A word of its text. */
export const FIRST_WORD = "lighthouse";
/** Not in the text before. */
const TYPED = "Q";
/** An editor may show its text before it takes keys; then the key is pressed again. */
const AGAIN_MS = 100;

/**
 * From the moment a browser that was just started is sent to the address: when it paints something,
 * when the tree shows a file, and when that file, opened by a double click as soon as it is there,
 * shows the first character that was typed into it. The server runs already.
 */
export async function measureFirstLoad(
  product: Product,
  project: string,
): Promise<Row<PageMetricId>> {
  await using served = await product.serve(project);
  await using cold = await ColdBrowser.start();
  const { page, cdp } = cold;
  const transfer = await Transfer.watch(cdp);
  const began = wallTime();
  await page.goto(served.url, { waitUntil: "commit" });
  const row = await see(page, product.row(FIRST_FILE));
  await page.mouse.dblclick(row.x, row.y);
  const text = await see(page, product.text(FIRST_WORD));
  await page.mouse.click(text.x, text.y);
  const typed = see(page, product.text(TYPED));
  const pressing = setInterval(() => void page.keyboard.press(TYPED), AGAIN_MS);
  await page.keyboard.press(TYPED);
  const firstTyped = await typed.finally(() => clearInterval(pressing));
  return {
    loaded: await transfer.kilobytes(),
    firstPaint: (await page.evaluate(firstPaint)) - began,
    treeShown: row.at - began,
    firstTyped: firstTyped.at - began,
  };
}

/** Runs in the page. */
function firstPaint(): number {
  const [entry] = performance.getEntriesByName("first-contentful-paint");
  return performance.timeOrigin + (entry?.startTime ?? Number.NaN);
}
