import { writeFile } from "node:fs/promises";
import type { DiffAnswer, IdeConnection } from "@lockstep/client";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { inBrowser } from "../src/in-browser.js";
import { goToLine, openByName, reviewTab, textbox } from "../src/page-acts.js";
import { Stage } from "../src/stage.js";

const before = ["one", "two", "three", "four", "five", "six", "seven", ""].join("\n");
const after = ["ONE", "two", "three", "FOUR", "five", "six", "SEVEN", ""].join("\n");
const files = { "a.txt": before, "b.txt": "bee\n" };

/** The agent proposes a text; the answer comes when the person has given one. */
function propose(
  { workspace }: Stage,
  agent: IdeConnection,
  name: string,
  text: string,
): Promise<DiffAnswer> {
  const path = workspace.path(name);
  const answer = agent.tools.openDiff({
    old_file_path: path,
    new_file_path: path,
    new_file_contents: text,
    tab_name: `✻ [Test] ${name} ⧉`,
  });
  // Where the test ends first, nobody waits for it.
  answer.catch(() => {});
  return answer;
}

/** Shows a proposal, by its tab, and waits until the review takes answers. */
async function show(page: Page, name: string): Promise<void> {
  await reviewTab(page, name).click();
  await page.getByRole("toolbar", { name: "Changes" }).getByText("decided").waitFor();
  await expect.poll(() => accept(page).isEnabled()).toBe(true);
}

const accept = (page: Page) => page.getByRole("button", { name: /^(Accept|Send)/ });
const decided = (page: Page, words: string) =>
  page.getByRole("toolbar", { name: "Changes" }).getByText(words).waitFor();

inBrowser("a proposal", (browser) => {
  async function open(more: Readonly<Record<string, string>> = {}) {
    const stage = await Stage.open(browser(), { files: { ...files, ...more } });
    const page = await stage.page();
    return { stage, page, agent: await stage.agent() };
  }

  it("opens without stealing the focus, and shows in the title and in the queue", async () => {
    const { stage, page, agent } = await open();
    await openByName(page, "b.txt");
    await goToLine(page, 1);
    void propose(stage, agent, "a.txt", after).catch(() => {});
    await expect.poll(() => page.title()).toMatch(/^\(1\)/);
    await page.keyboard.type("still typing ");
    await textbox(page).filter({ hasText: "still typing bee" }).waitFor();
    await page
      .getByRole("button", { name: /^Review/ })
      .first()
      .click();
    await page.getByRole("complementary").getByText("a.txt").waitFor();
    expect(stage.complaints).toEqual([]);
  });

  it("is accepted as a whole, and the agent gets the full text", async () => {
    const { stage, page, agent } = await open();
    const answer = propose(stage, agent, "a.txt", after);
    await show(page, "a.txt");
    await accept(page).click();
    expect(await answer).toEqual({ kind: "saved", text: after });
    // The agent writes the file, never the editor.
    expect(await stage.workspace.read("a.txt")).toBe(before);
    await expect.poll(() => page.title()).not.toMatch(/^\(1\)/);
  });

  it("of 10 MB is accepted before its changes are known, and the agent gets the full text", async () => {
    // Comparing a text with its own reverse takes seconds.
    const lines = Array.from({ length: 500_000 }, (_, at) => `${at % 125_000} of the sea`);
    const large = { before: lines.join("\n"), after: lines.reverse().join("\n") };
    const { stage, page, agent } = await open({ "large.txt": large.before });
    const answer = propose(stage, agent, "large.txt", large.after);
    await reviewTab(page, "large.txt").click();
    await expect.poll(() => accept(page).isEnabled(), { interval: 20 }).toBe(true);
    await page.getByRole("progressbar", { name: "Comparing the texts" }).waitFor();
    await accept(page).click();
    const said = await answer;
    expect(said.kind === "saved" && said.text === large.after).toBe(true);
    expect(stage.complaints).toEqual([]);
  });

  it("is decided hunk by hunk, by key and by click, with undo until it is sent", async () => {
    const { stage, page, agent } = await open();
    const answer = propose(stage, agent, "a.txt", after);
    await show(page, "a.txt");
    await page.getByRole("button", { name: "Next change" }).focus();
    await page.keyboard.press("Alt+KeyY");
    await decided(page, "1 of 3 decided");
    await page.keyboard.press("Alt+KeyN");
    await decided(page, "2 of 3 decided");
    await page.keyboard.press("Control+KeyZ");
    await decided(page, "1 of 3 decided");
    await page.keyboard.press("Control+Shift+KeyZ");
    await decided(page, "2 of 3 decided");
    await page.getByRole("button", { name: "Drop", exact: true }).last().click();
    await decided(page, "3 of 3 decided");
    await page.getByRole("button", { name: "Undo" }).click();
    await decided(page, "2 of 3 decided");
    await accept(page).click();
    expect(await answer).toEqual({ kind: "saved", text: after.replace("FOUR", "four") });
  });

  it("is edited on its right side, and the person's words are what is sent", async () => {
    const { stage, page, agent } = await open();
    const answer = propose(stage, agent, "a.txt", after);
    await show(page, "a.txt");
    const right = page.locator(".cm-content[contenteditable=true]").last();
    await right.click();
    await page.keyboard.press("Control+Home");
    await page.keyboard.type("mine: ");
    await right.filter({ hasText: "mine: ONE" }).waitFor();
    await page.keyboard.press("Control+Enter");
    expect(await answer).toEqual({ kind: "saved", text: `mine: ${after}` });
  });

  it("is rejected with a reason, which the page says where it went", async () => {
    const { stage, page, agent } = await open();
    const answer = propose(stage, agent, "a.txt", after);
    await show(page, "a.txt");
    await page.getByRole("button", { name: "Reject…" }).click();
    await page.getByRole("textbox", { name: "Reason for rejecting" }).fill("too loud");
    await page.keyboard.press("Enter");
    expect((await answer).kind).toBe("rejected");
    expect(await answer).toMatchObject({ reason: "too loud" });
  });

  it("whose hunks are all dropped is a rejection", async () => {
    const { stage, page, agent } = await open();
    const answer = propose(stage, agent, "a.txt", after);
    await show(page, "a.txt");
    await page.getByRole("button", { name: "Drop rest" }).click();
    await decided(page, "3 of 3 decided");
    await page.getByRole("button", { name: /^(Accept|Send|Reject:)/ }).click();
    expect((await answer).kind).toBe("rejected");
  });

  it("can be seen inline or side by side, with whitespace shown or ignored", async () => {
    const { stage, page, agent } = await open();
    const text = before.replace("two", "  two").replace("six", "SIX");
    void propose(stage, agent, "a.txt", text).catch(() => {});
    await show(page, "a.txt");
    await decided(page, "0 of 2 decided");
    await page.getByRole("button", { name: "Inline" }).click();
    expect(await page.locator(".cm-content").count()).toBe(1);
    await page.getByRole("button", { name: "Side by side" }).click();
    await expect.poll(() => page.locator(".cm-content").count()).toBe(2);
    await page.getByRole("button", { name: "Ignore changes in whitespace" }).click();
    await page.getByText("1 in whitespace only, hidden").waitFor();
  });

  it("whose file changes underneath shows the conflict and is not sent until it is decided", async () => {
    const { stage, page, agent } = await open();
    const answer = propose(stage, agent, "a.txt", after);
    await show(page, "a.txt");
    const moved = before.replace("four", "4");
    await writeFile(stage.workspace.path("a.txt"), moved);
    await page
      .getByText(/conflict/i)
      .first()
      .waitFor();
    expect(await page.getByRole("button", { name: "Decide the conflict" }).isDisabled()).toBe(true);
    await page.getByRole("button", { name: "Keep file" }).click();
    await accept(page).click();
    const expected = moved.replace("one", "ONE").replace("seven", "SEVEN");
    expect(await answer).toEqual({ kind: "saved", text: expected });
    expect(await stage.workspace.read("a.txt")).toBe(moved);
  });

  it("does not take a key that was meant for something else", async () => {
    const { stage, page, agent } = await open();
    await openByName(page, "b.txt");
    const answer = propose(stage, agent, "a.txt", after);
    await expect.poll(() => page.title()).toMatch(/^\(1\)/);
    // Keys for the review, pressed in the document: nothing is decided.
    await textbox(page).click();
    await page.keyboard.press("Control+Enter");
    await page.keyboard.press("Alt+KeyY");
    // And an Enter that was on its way while the review appeared.
    await reviewTab(page, "a.txt").click();
    await page.keyboard.press("Control+Enter");
    await show(page, "a.txt");
    await decided(page, "0 of 3 decided");
    const settled = await Promise.race([
      answer.then(() => true),
      agent.listTools().then(() => false),
    ]);
    expect(settled).toBe(false);
  });

  it("gives way to the next that waits once it is answered, by keys alone, and to the file in the end", async () => {
    const { stage, page, agent } = await open({ "c.txt": "sea\n" });
    await openByName(page, "b.txt");
    const first = propose(stage, agent, "a.txt", after);
    await expect.poll(() => page.title()).toMatch(/^\(1\)/);
    const second = propose(stage, agent, "b.txt", "BEE\n");
    await expect.poll(() => page.title()).toMatch(/^\(2\)/);
    const third = propose(stage, agent, "c.txt", "SEA\n");
    await expect.poll(() => page.title()).toMatch(/^\(3\)/);
    const messages = page.getByRole("region", { name: "Notifications" });
    const message = messages.getByRole("button", { name: "Review" });
    await message.waitFor();
    const shown = (name: string) => page.getByRole("region", { name: `Review of ${name}` });
    const ready = () => expect.poll(() => accept(page).isEnabled()).toBe(true);
    await page.keyboard.press("Control+Shift+KeyY");
    await shown("a.txt").waitFor();
    // Who looks at one of them needs no message any more that there are some.
    await message.waitFor({ state: "detached" });
    await ready();
    await page.keyboard.press("Control+Enter");
    expect((await first).kind).toBe("saved");
    await shown("b.txt").waitFor();
    await page.keyboard.press("Control+Shift+KeyY");
    await shown("c.txt").waitFor();
    await ready();
    await page.keyboard.press("Control+Enter");
    expect((await third).kind).toBe("saved");
    await shown("b.txt").waitFor();
    await ready();
    await page.keyboard.press("Control+Enter");
    expect((await second).kind).toBe("saved");
    await page.getByRole("tab", { name: "b.txt", selected: true }).waitFor();
    expect(await textbox(page).textContent()).toBe("bee");
  });

  it("survives a crash as a draft that nobody awaits: readable, copyable, without Accept", async () => {
    const { stage, page, agent } = await open();
    void propose(stage, agent, "a.txt", after).catch(() => {});
    await show(page, "a.txt");
    const right = page.locator(".cm-content[contenteditable=true]").last();
    await right.click();
    await page.keyboard.press("Control+Home");
    await page.keyboard.type("mine: ");
    await decided(page, "1 of 3 decided");
    await stage.crash();
    await page.getByText("No longer awaited").waitFor();
    expect(await accept(page).count()).toBe(0);
    await page.getByRole("button", { name: "Copy the draft" }).click();
    const copied = page.evaluate("navigator.clipboard.readText()");
    expect(await copied).toBe(`mine: ${after}`);
    expect(await stage.workspace.read("a.txt")).toBe(before);
  });

  it("of another agent is another's: each gets its own answer", async () => {
    const { stage, page, agent } = await open();
    const other = await stage.agent("Other agent");
    const first = propose(stage, agent, "a.txt", after);
    const second = propose(stage, other, "b.txt", "BEE\n");
    await show(page, "a.txt");
    // By the same label, which is not enough.
    await other.call("close_tab", { tab_name: "✻ [Test] a.txt ⧉" });
    await accept(page).click();
    expect((await first).kind).toBe("saved");
    await show(page, "b.txt");
    await accept(page).click();
    expect(await second).toEqual({ kind: "saved", text: "BEE\n" });
  });
});
