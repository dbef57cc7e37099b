import type { Row } from "../figures.js";
import { ColdBrowser } from "./chromium.js";
import { LockstepEditor } from "./lockstep.js";
import type { PageMetricId } from "./metrics.js";
import { FILES, FOLDER, fileName } from "./projects.js";
import { click, see } from "./seeing.js";
import { longestTask } from "./tasks.js";

/** One notch of a mouse's wheel. */
const NOTCH_PX = 120;
const NOTCHES = 100;
/** A flick of a free wheel, more than a screen at once. */
const FLICK_PX = 6_000;

/**
 * A folder of a hundred thousand files is opened and scrolled through with the wheel, first notch by
 * notch, then by flicks until the last file is in sight.
 */
export async function measureTree(folder: string, project: string): Promise<Row<PageMetricId>> {
  await using editor = await LockstepEditor.start(folder, project);
  await using cold = await ColdBrowser.start();
  const { browser, page } = cold;
  await page.goto(editor.url);
  const clicked = await click(page, { selector: '[role="treeitem"]', text: FOLDER });
  const first = await see(page, { selector: '[role="treeitem"]', text: fileName(0) });
  await page.mouse.move(first.x, first.y + 100);
  const turn = async (by: number) => {
    await page.mouse.wheel(0, by);
    return page.evaluate(
      (last) => {
        const rows = [...document.querySelectorAll('[role="treeitem"]')];
        return globalThis.benchWitness
          .painted()
          .then(() => rows.some((row) => row.textContent?.includes(last)));
      },
      fileName(FILES - 1),
    );
  };
  const treeTask = await longestTask(browser, page, async () => {
    for (let notch = 0; notch < NOTCHES; notch++) await turn(NOTCH_PX);
    while (!(await turn(FLICK_PX)));
  });
  return { treeOpened: first.at - clicked, treeTask };
}
