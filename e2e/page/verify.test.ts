import { verifyIde } from "@lockstep/conformance";
import { expect, it } from "vitest";
import { inBrowser } from "../src/in-browser.js";
import { Stage } from "../src/stage.js";

inBrowser({ name: "the editor in the browser", timeout: 120_000 }, (browser) => {
  it("keeps every clause of the protocol, with a person who decides on the page", async () => {
    const stage = await Stage.open(browser(), { files: { "a.txt": "one\n" } });
    const page = await stage.page();
    const decide = async (decision: "accept" | "reject") => {
      await page
        .getByRole("tab", { name: /, review$/ })
        .first()
        .click();
      const name = decision === "accept" ? /^Accept/ : "Reject…";
      const button = page.getByRole("button", { name });
      await expect.poll(() => button.isEnabled()).toBe(true);
      await button.click();
      if (decision === "reject") {
        await page.getByRole("textbox", { name: "Reason for rejecting" }).press("Enter");
      }
    };
    const { lockFile } = stage.lockstep.announcement;
    const broken: unknown[] = [];
    const skipped: string[] = [];
    for await (const { clause, verdict } of verifyIde({ lockFile, decide })) {
      if (verdict.kind === "skipped") skipped.push(clause);
      else if (verdict.kind !== "pass") broken.push({ clause, verdict });
    }
    expect(broken).toEqual([]);
    // Where loopback is all there is, nothing lies beyond it.
    expect(skipped.filter((clause) => clause !== "C61")).toEqual([]);
  });
});
