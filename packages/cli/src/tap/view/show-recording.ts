import { writeFile } from "node:fs/promises";
import { printable } from "@lockstep/protocol";
import { EXIT, UsageError } from "../../command.js";
import { openBrowser } from "../../editor/browser.js";
import { stopSignal } from "../../stop-signal.js";
import { readRecording } from "../read-recording.js";
import { pageData } from "./page-data.js";
import { pageHtml } from "./page-html.js";
import { serveOnce } from "./serve-once.js";

export interface ShowOptions {
  /** Where the page is written to; without it, it is opened in the browser. */
  readonly out: string | undefined;
  readonly open: boolean;
}

/** `lockstep tap --view`: a recording as a page. */
export async function showRecording(file: string, { out, open }: ShowOptions): Promise<number> {
  const html = await pageHtml(pageData(await readRecording(file)));
  if (out !== undefined) {
    await writePage(out, html);
    console.log(printable(out));
    return EXIT.ok;
  }
  await using page = await serveOnce(html);
  const opened = open && (await openBrowser(page.url));
  if (!opened) {
    console.error("Open this address; it works once.");
    console.log(page.url);
  }
  await Promise.race([page.served, stopSignal()]);
  return EXIT.ok;
}

/** What is recorded may be private, and so may be what is there already. */
async function writePage(path: string, html: string): Promise<void> {
  await writeFile(path, html, { mode: 0o600, flag: "wx" }).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(
      error.code === "EEXIST"
        ? `${path} is there already. Name another file with --out, or remove it.`
        : `${path} cannot be written (${error.message}). Name another file with --out.`,
    );
  });
}
