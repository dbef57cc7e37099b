import { rm, symlink, truncate, writeFile } from "node:fs/promises";
import { deflateSync } from "node:zlib";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { inBrowser } from "../src/in-browser.js";
import { textbox } from "../src/page-acts.js";
import { Stage } from "../src/stage.js";

const row = (page: Page, name: string) => page.getByRole("treeitem", { name });
const tab = (page: Page, name: string) => page.getByRole("tab", { name, selected: true });

inBrowser("a file that is not text", (browser) => {
  async function open(files: Readonly<Record<string, string | Buffer>>) {
    const stage = await Stage.open(browser(), { files: { "a.ts": "const a = 1;\n" } });
    for (const [name, bytes] of Object.entries(files)) {
      await writeFile(stage.workspace.path(name), bytes);
    }
    return { stage, page: await stage.page() };
  }

  it("says in its tab what it is, and what can be done with it", async () => {
    const { stage, page } = await open({ "data.zip": "PK\x03\x04\0\0", "huge.log": "" });
    await truncate(stage.workspace.path("huge.log"), 61 * 1024 * 1024);
    await symlink("loop", stage.workspace.path("loop"));
    const agent = await stage.agent();
    const mentioned = new Promise((resolve) => agent.on("at_mentioned", resolve));
    await row(page, "data.zip").click();
    await tab(page, "data.zip").waitFor();
    await page.getByText("data.zip is not text").waitFor();
    await page.getByText("ZIP archive · 6 bytes").waitFor();
    await page.getByRole("button", { name: "Copy path" }).click();
    await page.getByText("Copied the path").waitFor();
    const path = stage.workspace.path("data.zip");
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(path);
    await page.getByRole("button", { name: "Mention to agent" }).click();
    await mentioned;
    await page.keyboard.press("Control+Shift+F");
    await page.getByRole("button", { name: "Show in the tree" }).click();
    await page.getByRole("treeitem", { name: "data.zip", selected: true }).waitFor();

    await row(page, "huge.log").click();
    await page.getByText("huge.log is too large to open").waitFor();
    await page.getByText("61 MB", { exact: true }).waitFor();
    expect(await page.getByRole("tab").count()).toBe(1);
    await row(page, "loop").click();
    await page.getByText("loop cannot be read", { exact: true }).waitFor();
    await page.reload();
    await page.getByText("leads back to itself").waitFor();
    await page.keyboard.press("Alt+W");
    await page.getByRole("tab").waitFor({ state: "detached" });
    expect(stage.complaints).toEqual([]);
  });

  it("becomes a document as soon as it is one, and leaves with its file", async () => {
    const { stage, page } = await open({ "a.bin": "\0", "b.bin": "\0" });
    await row(page, "a.bin").dblclick();
    await page.getByText("a.bin is not text").waitFor();
    await writeFile(stage.workspace.path("a.bin"), "words\n");
    await textbox(page).filter({ hasText: "words" }).waitFor();
    await row(page, "b.bin").click();
    await page.getByText("b.bin is not text").waitFor();
    await rm(stage.workspace.path("b.bin"));
    await tab(page, "a.bin").waitFor();
    expect(await page.getByRole("tab").count()).toBe(1);
  });

  it("is shown if it is a picture", async () => {
    const { stage, page } = await open({ "logo.png": png(96, 64), "fake.png": "<html>\0" });
    await row(page, "logo.png").click();
    const picture = page.getByRole("img", { name: "logo.png" });
    await picture.waitFor();
    const width = () => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth);
    await expect.poll(width).toBe(96);
    await page.getByText("PNG image · ").waitFor();
    await writeFile(stage.workspace.path("logo.png"), png(120, 64));
    await expect.poll(width).toBe(120);
    await row(page, "fake.png").click();
    await page.getByText("fake.png is not text").waitFor();
    expect(stage.complaints).toEqual([]);
  });
});

/** A picture in one colour, half transparent. */
function png(width: number, height: number): Buffer {
  const size = Buffer.alloc(13);
  size.writeUInt32BE(width, 0);
  size.writeUInt32BE(height, 4);
  size.set([8, 6, 0, 0, 0], 8);
  const line = Buffer.concat([Buffer.of(0), Buffer.alloc(width * 4, Buffer.of(40, 110, 220, 160))]);
  const lines = deflateSync(Buffer.concat(Array.from({ length: height }, () => line)));
  const parts = [chunk("IHDR", size), chunk("IDAT", lines), chunk("IEND", Buffer.alloc(0))];
  return Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), ...parts]);
}

function chunk(name: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(name), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc(content), 4);
  return Buffer.concat([ends.subarray(0, 4), content, ends.subarray(4)]);
}

function crc(bytes: Buffer): number {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  }
  return (sum ^ 0xffffffff) >>> 0;
}
