import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe } from "vitest";
import { launchBrowser, whyNoBrowser } from "./browser.js";
import { titled } from "./needs.js";

interface BrowserSuite {
  readonly name: string;
  /** Of each test, in milliseconds; vitest's own without it. */
  readonly timeout?: number;
  /** Why it cannot be run here, besides for want of a browser. */
  readonly unless?: string | undefined;
}

/** Tests that share a browser; skipped, by name and reason, where there is none. */
export function inBrowser(
  suite: string | BrowserSuite,
  tests: (browser: () => Browser) => void,
): void {
  const { name, timeout, unless } = typeof suite === "string" ? { name: suite } : suite;
  const reason = whyNoBrowser() ?? unless;
  const options = timeout === undefined ? {} : { timeout };
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
