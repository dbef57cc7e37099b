import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, type TestOptions } from "vitest";
import { launchBrowser, whyNoBrowser } from "./browser.js";
import { titled } from "./needs.js";

interface BrowserSuite extends TestOptions {
  /** Why it cannot be run here, besides for want of a browser. */
  readonly unless?: string | undefined;
}

/** Tests that share a browser; skipped, by name and reason, where there is none. */
export function inBrowser(
  name: string,
  tests: (browser: () => Browser) => void,
  { unless, ...options }: BrowserSuite = {},
): void {
  const reason = whyNoBrowser() ?? unless;
  describe.skipIf(reason)(titled(name, reason), options, () => {
    let browser: Browser | undefined;
    beforeAll(async () => {
      browser = await launchBrowser();
    });
    afterAll(() => browser?.close());
    tests(() => {
      if (!browser) throw new Error("The browser is there only while the tests run");
      return browser;
    });
  });
}
