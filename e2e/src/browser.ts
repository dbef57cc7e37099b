import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { quietChromium } from "../../scripts/quiet-chromium.mjs";
import { whyMissing } from "../../scripts/setup-system.mjs";

/** Why the page cannot be looked at here; undefined when it can. On CI that is a failure. */
export function whyNoBrowser(): string | undefined {
  const reason = whyMissing("chromium") ?? whyMissing("fonts");
  if (reason && process.env.CI) throw new Error(`On CI nothing may be missing: ${reason}`);
  return reason;
}

/** A real Chromium that calls nobody. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch(quietChromium);
}

/** Things that the page did and should not have: errors, refused resources, failed requests. */
export function complaintsOf(page: Page): readonly string[] {
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(`error: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(`console: ${message.text()}`);
  });
  return complaints;
}

/** One person at one browser, with the clipboard at hand. */
export async function person(browser: Browser): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  return context;
}
