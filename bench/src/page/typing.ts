import { setTimeout as pause } from "node:timers/promises";
import type { Page } from "playwright-core";
import type { Row } from "../figures.js";
import { percentile } from "../statistics.js";
import { ColdBrowser } from "./chromium.js";
import { LockstepEditor } from "./lockstep.js";
import type { PageMetricId } from "./metrics.js";
import { TYPING_FILE } from "./projects.js";
import { see } from "./seeing.js";

/** A line that a person types, as keys. Nothing in it that an editor would complete. */
const LINE = "const shore = tide + 42; // the water is high";
const KEYS = [...LINE].map((character) => (character === " " ? "Space" : character));
const LINES = 6;
/** Between a character's frame and the next key: 25 characters a second is faster than anybody types. */
const GAP_MS = 30;

declare global {
  /** How long each key took until the frame with its character, in ms; the last one may be on its way. */
  var benchKeys: Promise<number>[];
}

/**
 * Real key events in the middle of a file of 1 MB, coloured as TypeScript. Each is timed in the page,
 * from when the browser made the event to after the frame that shows the changed text. Frames are
 * made when they are asked for, so that the wait for a screen is not in it.
 */
export async function measureTyping(folder: string, project: string): Promise<Row<PageMetricId>> {
  await using editor = await LockstepEditor.start(folder, project);
  await using cold = await ColdBrowser.start({ paced: false });
  const { page } = cold;
  await page.goto(editor.url);
  const row = await see(page, { selector: '[role="treeitem"]', text: TYPING_FILE });
  await page.mouse.dblclick(row.x, row.y);
  await see(page, { selector: ".cm-line", text: "tide0" });
  await goToTheMiddle(page);
  await page.evaluate(timeKeys);
  for (let line = 0; line < LINES; line++) {
    for (const key of [...KEYS, "Enter"]) {
      await page.keyboard.press(key);
      await page.evaluate(() => globalThis.benchKeys.at(-1));
      await pause(GAP_MS);
    }
  }
  const took = await page.evaluate(() => Promise.all(globalThis.benchKeys));
  await see(page, { selector: ".cm-line", text: LINE });
  return { typingP50: percentile(took, 0.5), typingP95: percentile(took, 0.95) };
}

async function goToTheMiddle(page: Page): Promise<void> {
  await page.evaluate(() => {
    const scroller = document.querySelector(".cm-scroller");
    if (scroller) scroller.scrollTop = scroller.scrollHeight / 2;
  });
  // The lines there, with their colours: a word in one of them is a string.
  const line = await see(page, { selector: ".cm-line:has(span)", text: "depth" });
  const box = await page.locator(".cm-scroller").boundingBox();
  await page.mouse.click(line.x, (box?.y ?? 0) + (box?.height ?? 0) / 2);
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await page.evaluate(() => globalThis.benchWitness.painted());
}

/**
 * Runs in the page. A frame is not asked for before there is something to show: it would be in the
 * way. The task behind it is an urgent one, or the next frame would come first.
 */
function timeKeys(): void {
  globalThis.benchKeys = [];
  const content = document.querySelector(".cm-content");
  if (!content) throw new Error("There is no text to type into");
  let changed: () => void = () => {};
  const heard = ({ timeStamp }: KeyboardEvent) => {
    const painted = new Promise<number>((resolve) => {
      const done = () => resolve(performance.now() - timeStamp);
      changed = () => {
        changed = () => {};
        requestAnimationFrame(() => void scheduler.postTask(done, { priority: "user-blocking" }));
      };
    });
    globalThis.benchKeys.push(painted);
  };
  addEventListener("keydown", heard, { capture: true });
  const watching = { subtree: true, childList: true, characterData: true };
  new MutationObserver(() => changed()).observe(content, watching);
}
