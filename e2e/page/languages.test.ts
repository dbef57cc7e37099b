import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { faultsOf } from "../src/axe.js";
import { launchBrowser, whyNoBrowser } from "../src/browser.js";
import { tideProject } from "../src/language-scene.js";
import { titled } from "../src/needs.js";
import { goToLine, openByName, textbox } from "../src/page-acts.js";
import { Stage } from "../src/stage.js";

const reason = whyNoBrowser();

const line = (page: Page, text: string | RegExp) => page.locator(".cm-line", { hasText: text });
const options = (page: Page) => page.locator(".cm-tooltip-autocomplete").getByRole("option");
/** A key in the first 75 ms of a list was meant for the text: nobody can have seen the list by then. */
async function isSeen(page: Page): Promise<void> {
  await page.clock.install();
  await page.clock.fastForward(100);
}
const card = (page: Page) => page.locator(".language-card");
const place = (page: Page, words: string) =>
  page.locator("footer").getByRole("button", { name: words, exact: true }).waitFor();
const shown = (page: Page, name: string) =>
  page.getByRole("tab", { name, selected: true }).waitFor();

/** Puts the cursor into a name, in the first line that has `text`. */
async function into(page: Page, text: string, name: string): Promise<void> {
  const column = text.indexOf(name) + 1;
  const lines = await page.locator(".cm-line").allTextContents();
  await goToLine(page, lines.findIndex((each) => each.includes(text)) + 1);
  const before = lines.find((each) => each.includes(text))?.indexOf(text) ?? 0;
  for (let at = 0; at < before + column; at++) await page.keyboard.press("ArrowRight");
}

describe.skipIf(reason)(titled("what a language server knows", reason), () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  async function open(name: string, more: Readonly<Record<string, string>> = {}) {
    const stage = await Stage.open(browser, { files: { ...tideProject, ...more } });
    const page = await stage.page();
    await openByName(page, name);
    // What can be asked of a text comes after the text.
    await page.locator(".cm-content[aria-autocomplete]").waitFor();
    return { stage, page };
  }

  it("completes a name from another file and imports it, which one undo takes back", async () => {
    const { stage, page } = await open("harbour.ts");
    await textbox(page).click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("pou");
    await options(page).filter({ hasText: "./tide.js" }).first().waitFor();
    await page.locator(".cm-completionInfo", { hasText: "./tide.js" }).waitFor();
    await isSeen(page);
    await page.keyboard.press("Enter");
    await line(page, /^import \{ pour \} from "\.\/tide\.js";/).waitFor();
    await line(page, /^pour$/).waitFor();
    await page.keyboard.press("Control+Z");
    await line(page, /^pou$/).waitFor();
    await line(page, "import { pour }").waitFor({ state: "detached" });
    expect(stage.complaints).toEqual([]);
  });

  it("lists members behind a dot, narrows them as more is typed, and takes one by key", async () => {
    const { page } = await open("harbour.ts");
    await textbox(page).click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("north.");
    await options(page).filter({ hasText: "measure" }).waitFor();
    await page.keyboard.type("me");
    await page.keyboard.press("Escape");
    await options(page).first().waitFor({ state: "detached" });
    await page.keyboard.press("Control+Space");
    await options(page).filter({ hasText: "measure" }).waitFor();
    await isSeen(page);
    await page.keyboard.press("Tab");
    await line(page, "north.measure").waitFor();
  });

  it("offers the words of the text where no server is, when asked", async () => {
    const { page } = await open("notes.txt", { "notes.txt": "harbourmaster\n\n" });
    await goToLine(page, 2);
    await page.keyboard.type("har");
    await page.keyboard.press("Control+Space");
    await options(page).filter({ hasText: "harbourmaster" }).waitFor();
  });

  it("shows what a call expects, argument by argument, with its overloads by arrows", async () => {
    const { page } = await open("tide.ts");
    await textbox(page).click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("pour(");
    await card(page).filter({ hasText: "1/2" }).waitFor();
    expect(await page.locator(".signature-parameter").textContent()).toBe("into: string");
    await page.keyboard.press("ArrowDown");
    await card(page).filter({ hasText: "2/2" }).waitFor();
    await page.keyboard.type('"a", ');
    await page.locator(".signature-parameter", { hasText: "litres: number" }).waitFor();
    await page.keyboard.press("Escape");
    await card(page).waitFor({ state: "detached" });
  });

  it("shows no parameters that are on their way when Escape is pressed", async () => {
    const { page } = await open("tide.ts");
    await textbox(page).click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("pour(");
    await card(page).filter({ hasText: "1/2" }).waitFor();
    await page.keyboard.press(",");
    await page.keyboard.press("Escape");
    await card(page).waitFor({ state: "detached" });
    // What is asked later is answered later.
    await page.keyboard.press("Control+Space");
    await options(page).first().waitFor();
    expect(await card(page).count()).toBe(0);
  });

  it("tells what a name is under the pointer, and at the cursor by key", async () => {
    const { stage, page } = await open("shore.ts");
    await line(page, "return tideAt").getByText("tideAt").hover();
    await card(page).getByText("Where the water stands.").waitFor();
    const link = card(page).getByRole("link", { name: "the tables" });
    expect(await link.getAttribute("href")).toBe("https://tides.example/");
    expect(await link.getAttribute("rel")).toContain("noopener");
    expect(await link.getAttribute("target")).toBe("_blank");
    await card(page).locator("pre span").first().waitFor();
    await page.mouse.move(2, 2);
    await card(page).waitFor({ state: "detached" });
    // Who goes on by keyboard leaves the pointer where it is, and nothing stands in the way.
    await into(page, "tideAt(hour)", "tideAt");
    await line(page, "return tideAt").getByText("tideAt").hover();
    await card(page).getByText("Where the water stands.").waitFor();
    await page.keyboard.press("F2");
    await page.getByRole("textbox", { name: "New name of tideAt" }).waitFor();
    await page.getByText("Where the water stands.").waitFor({ state: "detached" });
    await page.keyboard.press("Escape");
    await page.mouse.move(2, 2);
    await into(page, "tideAt(hour)", "tideAt");
    await page.keyboard.press("Alt+I");
    await card(page).getByText("Where the water stands.").waitFor();
    await page.keyboard.press("Escape");
    await card(page).waitFor({ state: "detached" });
    expect(stage.complaints).toEqual([]);
  });

  it("is text and nothing else, whatever a project writes into its comments", async () => {
    const hostile = [
      "/**",
      " * <img src=x onerror=\"document.title='taken'\"> <script>document.title='taken'</script>",
      " * <style>body{display:none}</style> <iframe src=/></iframe> <form action=/><input></form>",
      " * [one](javascript:alert(1)) [two](data:text/html,x) [three](command:run) [four](/alive)",
      ' * <a href="https://evil.example/" onclick="alert(1)" style="position:fixed">five</a>',
      ' * [seven](https://evil.example/?a=b "not here") `<b>code</b>` <b>eight</b> 1 < 2 & 3',
      " * ![six](https://evil.example/pixel.png) <svg onload=alert(1)> \u202eturned",
      " */",
      "export const bait = 1;",
      "",
      "bait;",
      "",
    ].join("\n");
    const { stage, page } = await open("bait.ts", { "src/bait.ts": hostile });
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await into(page, "bait;", "bait");
    await page.keyboard.press("Alt+I");
    await card(page).getByText("five").waitFor();
    const inside = await card(page).evaluate((element) => ({
      tags: [...element.querySelectorAll("*")].map(({ tagName }) => tagName.toLowerCase()),
      links: [...element.querySelectorAll("a")].map(({ href, rel }) => [href, rel]),
      attributes: [...element.querySelectorAll(".markdown *")].flatMap((each) =>
        each.getAttributeNames(),
      ),
      text: element.textContent ?? "",
    }));
    for (const tag of ["img", "script", "style", "iframe", "form", "input", "svg"])
      expect(inside.tags).not.toContain(tag);
    expect(inside.links).toEqual([["https://evil.example/?a=b", "noopener noreferrer"]]);
    for (const name of inside.attributes)
      expect(["href", "rel", "target", "title", "class"]).toContain(name);
    expect(inside.text).not.toContain("\u202e");
    for (const kept of ["one", "five", "<b>code</b>", "eight", "1 < 2 & 3"])
      expect(inside.text).toContain(kept);
    expect(await page.title()).not.toBe("taken");
    expect(asked.filter((url) => url.includes("evil"))).toEqual([]);
    expect(stage.complaints).toEqual([]);
  });

  it("leads to a definition by key and by click, and back", async () => {
    const { page } = await open("harbour.ts");
    await into(page, "new Shore", "Shore");
    await page.keyboard.press("F12");
    await shown(page, "shore.ts");
    await place(page, "3:14");
    await page.keyboard.press("Alt+ArrowLeft");
    await shown(page, "harbour.ts");
    await page.keyboard.press("Alt+ArrowRight");
    await shown(page, "shore.ts");

    const name = line(page, "return tideAt").getByText("tideAt");
    await page.keyboard.down("Control");
    await name.hover();
    await page.locator(".language-link", { hasText: "tideAt" }).waitFor();
    await name.click();
    await page.keyboard.up("Control");
    await shown(page, "tide.ts");
    await place(page, "2:17");
    await page.keyboard.press("Alt+ArrowLeft");
    await shown(page, "shore.ts");
  });

  it("leads to what implements a name, by key, and lists where that is in several places", async () => {
    const { stage, page } = await open("buoy.ts", {
      "src/buoy.ts": "export interface Buoy {\n  ring(): void;\n}\n",
      "src/bell.ts": [
        'import type { Buoy } from "./buoy.js";',
        "",
        "export class Bell implements Buoy {",
        "  ring() {}",
        "}",
        "",
      ].join("\n"),
    });
    await into(page, "interface Buoy", "Buoy");
    await page.keyboard.press("Control+F12");
    await shown(page, "bell.ts");
    await place(page, "3:14");
    await goToLine(page, 5);
    await page.keyboard.press("End");
    await page.keyboard.type("\nexport class Horn implements Buoy {\nring() {}");
    await into(page, "{ Buoy }", "Buoy");
    await page.keyboard.press("Control+F12");
    const places = page.getByRole("tree", { name: "Implementations" });
    await places.getByRole("treeitem", { name: "export class Horn" }).waitFor();
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    await place(page, "6:18 (4 selected)");
    expect(stage.complaints).toEqual([]);
  });

  it("lists the definitions of a name that has several", async () => {
    const { page } = await open("harbour.ts");
    await textbox(page).click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("interface Mole { a: 1 }\ninterface Mole { b: 2 }\nlet mole: Mole;");
    await into(page, "let mole: Mole", "Mole");
    await page.keyboard.press("F12");
    const places = page.getByRole("tree", { name: "Definitions" });
    await places.getByRole("treeitem", { name: "interface Mole { b: 2 }" }).waitFor();
    await expect.poll(() => places.getByRole("treeitem").count()).toBe(3);
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    await place(page, "5:15 (4 selected)");
  });

  it("lists where a name is used, and opens a place by keys", async () => {
    const { stage, page } = await open("shore.ts");
    await into(page, "class Shore", "Shore");
    await page.keyboard.press("Shift+F12");
    const places = page.getByRole("tree", { name: "References" });
    await places.getByRole("treeitem", { name: "new Shore()" }).waitFor();
    expect(await places.evaluate((tree) => tree === document.activeElement)).toBe(true);
    await expect.poll(() => places.getByRole("treeitem").count()).toBe(5);
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    await shown(page, "harbour.ts");
    await place(page, "3:31 (5 selected)");
    expect(stage.complaints).toEqual([]);
  });

  it("renames in all files at once, says how much, and takes it back", async () => {
    const { stage, page } = await open("fleet.ts", {
      "src/fleet.ts": 'export type { Shore } from "./shore.js";\n',
    });
    await openByName(page, "shore.ts");
    await page.locator(".cm-content[aria-autocomplete]").waitFor();
    await into(page, "class Shore", "Shore");
    await page.keyboard.press("F2");
    const field = page.getByRole("textbox", { name: "New name of Shore" });
    await field.waitFor();
    await expect
      .poll(() => field.evaluate((input) => (input as HTMLInputElement).selectionEnd))
      .toBe(5);
    await page.keyboard.type("Beach");
    await page.keyboard.press("Enter");
    await page.getByText(/Renamed Shore to Beach: \d places in 3 files/).waitFor();
    await line(page, "export class Beach").waitFor();
    expect(await stage.workspace.read("src/harbour.ts")).toContain("new Beach()");
    await page.getByRole("button", { name: "Undo" }).click();
    await line(page, "export class Shore").waitFor();
    await expect.poll(() => stage.workspace.read("src/harbour.ts")).toContain("new Shore()");
    await page.getByRole("tab", { name: /^fleet\.ts/ }).click();
    await line(page, 'export type { Shore } from "./shore.js"').waitFor();
    expect(stage.complaints).toEqual([]);
  });

  it("takes a rename back in a document that only another window has shown, or says why not", async () => {
    const { stage, page } = await open("shore.ts");
    const other = await stage.anotherPage();
    await openByName(other, "harbour.ts");
    await page.bringToFront();
    const rename = async () => {
      await into(page, "class Shore", "Shore");
      await page.keyboard.press("F2");
      await page.getByRole("textbox", { name: "New name of Shore" }).fill("Beach");
      await page.keyboard.press("Enter");
      await line(page, "export class Beach").waitFor();
      await line(other, "new Beach()").waitFor();
    };
    await rename();
    await page.getByRole("button", { name: "Undo" }).click();
    await line(page, "export class Shore").waitFor();
    await line(other, "new Shore()").waitFor();
    await expect.poll(() => other.getByRole("tab", { name: /unsaved/ }).count()).toBe(0);

    await rename();
    await other.bringToFront();
    await goToLine(other, 2);
    await other.keyboard.type("// mine");
    await line(other, "// mine").waitFor();
    await page.bringToFront();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("harbour.ts has changed since: rename it back instead.").waitFor();
    await line(page, "export class Beach").waitFor();
    expect(stage.complaints).toEqual([]);
  });

  it("finds the names of a file, shows them on the way, and goes back on Escape", async () => {
    const { page } = await open("shore.ts");
    await goToLine(page, 7);
    await page.keyboard.press("Control+Shift+O");
    await page.getByRole("combobox", { name: "Symbol" }).fill("meas");
    await page.getByRole("option", { name: /measure/ }).waitFor();
    await place(page, "4:10 (7 selected)");
    await page.keyboard.press("Escape");
    await place(page, "7:1");
    await page.keyboard.press("Control+P");
    await page.getByRole("combobox", { name: "File" }).fill("@mea");
    await page.getByRole("option", { name: /measure/ }).waitFor();
    await page.keyboard.press("Enter");
    await place(page, "4:3");
  });

  it("marks the letters of a name that were typed, whatever letters it has", async () => {
    const { page } = await open("sign.ts", { "src/sign.ts": "export const 𝒳𝒴tide = 1;\n" });
    await goToLine(page, 1);
    await page.keyboard.press("Control+Shift+O");
    await page.getByRole("combobox", { name: "Symbol" }).fill("tide");
    await expect.poll(() => page.locator("[role=option] mark").allTextContents()).toEqual(["tide"]);
  });

  it("formats a document, as one step to undo", async () => {
    const { page } = await open("messy.ts", { "src/messy.ts": "export   const a={b:1}\n" });
    await goToLine(page, 1);
    await page.keyboard.press("Alt+Shift+F");
    await line(page, /^export const a = \{ b: 1 \}/).waitFor();
    await page.keyboard.press("Control+Z");
    await line(page, "export   const a={b:1}").waitFor();
  });

  it("is asked for with keys that the list of shortcuts names", async () => {
    const { page } = await open("shore.ts");
    await page.keyboard.press("Control+Shift+Slash");
    const keys = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    for (const title of ["Next Problem", "Quick Fix…", "Go to Definition", "Rename Symbol"])
      await keys.getByText(title, { exact: true }).waitFor();
  });

  it("passes axe: completion, parameters, rename, references, names", async () => {
    const stage = await Stage.open(browser, { files: tideProject });
    const context: BrowserContext = await browser.newContext({
      viewport: { width: 1280, height: 720 },
      colorScheme: "dark",
      bypassCSP: true,
    });
    const page = await context.newPage();
    await page.goto(stage.lockstep.announcement.url ?? "");
    const isClean = async (what: string) => expect(await faultsOf(page), what).toEqual([]);
    await page.getByRole("navigation", { name: "Views" }).waitFor();
    await openByName(page, "tide.ts");
    await page.locator(".cm-content[aria-autocomplete]").waitFor();
    await textbox(page).click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("pou");
    await options(page).first().waitFor();
    await isClean("completion");
    await page.keyboard.press("Enter");
    await page.keyboard.type("(");
    await card(page).waitFor();
    await isClean("parameters");
    await page.keyboard.press("Escape");
    await into(page, "function tideAt", "tideAt");
    await page.keyboard.press("F2");
    await page.getByRole("textbox", { name: "New name of tideAt" }).waitFor();
    await isClean("rename");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Shift+F12");
    await page.getByRole("tree", { name: "References" }).waitFor();
    await isClean("references");
    await page.keyboard.press("Control+Shift+O");
    await page.getByRole("combobox", { name: "Symbol" }).waitFor();
    await isClean("names");
    await context.close();
  });
});
