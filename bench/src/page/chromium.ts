import { type Browser, type CDPSession, chromium, type Page } from "playwright-core";
import { quietChromium } from "../../../scripts/quiet-chromium.mjs";
import { whyMissing } from "../../../scripts/setup-system.mjs";
import { witness } from "./witness.js";

/** Why the page cannot be measured here; undefined when it can. */
export function whyNoChromium(): string | undefined {
  return whyMissing("chromium") ?? whyMissing("fonts");
}

/**
 * A frame is made as soon as it is asked for, and not when a screen, which a headless browser has not
 * got, would show the next one: that wait is up to 16.7 ms, and nothing an editor could do about it.
 */
const UNPACED = ["--disable-frame-rate-limit", "--disable-gpu-vsync"];

/** A Chromium that was just started, with an empty profile, and its one page with a witness in it. */
export class ColdBrowser implements AsyncDisposable {
  readonly browser: Browser;
  readonly page: Page;
  readonly cdp: CDPSession;

  private constructor(browser: Browser, page: Page, cdp: CDPSession) {
    this.browser = browser;
    this.page = page;
    this.cdp = cdp;
  }

  static async start({ paced = true } = {}): Promise<ColdBrowser> {
    const args = [...quietChromium.args, ...(paced ? [] : UNPACED)];
    const browser = await chromium.launch({ ...quietChromium, args });
    const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
    await page.addInitScript(witness);
    return new ColdBrowser(browser, page, await page.context().newCDPSession(page));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.browser.close();
  }
}
