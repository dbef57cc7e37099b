import { expect, it, onTestFinished } from "vitest";
import { whyMissing } from "../../scripts/setup-system.mjs";
import { faultsOf } from "../src/axe.js";
import { inBrowser } from "../src/in-browser.js";
import {
  cell,
  code,
  enter,
  type Fields,
  isUnsaved,
  lines,
  markdown,
  notebook,
  openCells,
  openNotebook,
  PLOT,
  saved,
  TABLE,
  textOf,
} from "../src/notebook-acts.js";
import { Stage } from "../src/stage.js";

inBrowser({ name: "a notebook", timeout: 180_000, unless: whyMissing("jupyter") }, (browser) => {
  it("of hostile outputs and words runs nothing, fetches nothing and stays in its cells", async () => {
    const trap = (id: string) =>
      `<img id="${id}" src="http://127.0.0.1:9/x.png" onerror="document.title='taken'">`;
    const html = [
      "<script>document.title = 'taken'</script>",
      trap("by-tag"),
      "<style>body { display: none } .nb { position: fixed }</style>",
      `<div id="app" class="dialog toasts" style="position:fixed;inset:0;z-index:99;background:red">over all</div>`,
      "<a href='javascript:document.title=1' onclick='document.title=2'>link</a>",
      "<form action='http://127.0.0.1:9'><input name=x><button>send</button></form>",
      "<iframe src='http://127.0.0.1:9'></iframe><object data='x'></object><embed src='x'>",
      "<svg onload=\"document.title='taken'\"><use href='http://127.0.0.1:9/#a'/></svg>",
      "<math><mtext><table><mglyph><style><img src=x onerror=document.title=1></style></mglyph></table></mtext></math>",
      "<table background='http://127.0.0.1:9/b.png'><tr><td>cell</td></tr></table>",
      "<meta http-equiv=refresh content='0;url=http://127.0.0.1:9'><base href='http://127.0.0.1:9'><link rel=stylesheet href='http://127.0.0.1:9/x.css'>",
      "<picture><source srcset='http://127.0.0.1:9/s.png'><img srcset='http://127.0.0.1:9/t.png'></picture><video poster='http://127.0.0.1:9/p.png'></video>",
    ].join("\n");
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" onload="document.title='taken'" width="10" height="10"><script>document.title='taken'</script><image href="http://127.0.0.1:9/i.png"/></svg>`;
    const data = (bundle: Fields) => ({
      data: bundle,
      metadata: {},
      output_type: "display_data",
    });
    const outputs = [
      data({ "text/html": lines(html), "text/plain": "plain" }),
      data({ "image/svg+xml": svg, "text/plain": "a drawing" }),
      data({ "text/html": "<script>1</script>", "text/plain": "what is left" }),
      data({
        "image/png": '"><img id=by-attribute src=x onerror=document.title=1>',
        "text/plain": "x",
      }),
      data({ "application/x-own": "?" }),
      {
        name: "stdout",
        output_type: "stream",
        text: `${trap("by-text")}\u001b]0;title\u0007\u202e`,
      },
      { output_type: "odd <b>" },
    ];
    const words = `${html}\n\n[x](javascript:alert(1)) ![y](http://127.0.0.1:9/y.png)`;
    const text = notebook(code("1", { outputs }), markdown(words));
    const stage = await Stage.open(browser(), { files: { "a.ipynb": text } });
    const page = await stage.page();
    const requests: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    await openNotebook(page);
    await page.getByText("what is left").waitFor();
    await page.getByText("over all").first().waitFor();
    await page.getByRole("img", { name: "a drawing" }).waitFor();
    await page.getByText("An output that this page cannot show: [application/x-own].").waitFor();
    await page.getByText("An output of the unknown type “odd <b>”.").waitFor();
    expect(await page.title()).not.toMatch(/taken|^\d$/);
    const inside = page.locator(".nb-outputs, .nb-read");
    const dangers =
      "script, style, iframe, object, embed, form, input, link, meta, base, video, source, svg, math, [id], [class*=dialog], [style], [onclick], [onerror]";
    expect(await inside.locator(".nb-rich").locator(dangers).count()).toBe(0);
    expect(await page.locator("#by-tag, #by-attribute, #by-text").count()).toBe(0);
    expect(await page.locator("#app").count()).toBe(1);
    const links = await inside.getByRole("link").count();
    expect(links).toBe(0);
    expect(requests.filter((url) => url.includes("127.0.0.1:9/"))).toEqual([]);
    const { origin } = new URL(stage.lockstep.announcement.url ?? "");
    expect(requests.filter((url) => !url.startsWith(origin) && !url.startsWith("data:"))).toEqual(
      [],
    );
  });

  it("of 10 MB of pictures is opened and typed into without a wait", async () => {
    const png = "A".repeat(500_000);
    const output = { data: { "image/png": png }, metadata: {}, output_type: "display_data" };
    const cells = Array.from({ length: 20 }, (_, at) => code(`x${at} = 1`, { outputs: [output] }));
    const { stage, page } = await openCells(browser(), ...cells);
    await enter(page, 1);
    const sent: number[] = [];
    const client = await page.context().newCDPSession(page);
    await client.send("Network.enable");
    client.on("Network.webSocketFrameReceived", ({ response }) =>
      sent.push(response.payloadData.length),
    );
    const began = performance.now();
    await page.keyboard.type("0123456789".repeat(5));
    await textOf(page, 1).filter({ hasText: "01234567890123456789" }).waitFor();
    expect((performance.now() - began) / 50).toBeLessThan(100);
    await isUnsaved(page);
    expect(sent.reduce((sum, length) => sum + length, 0)).toBeLessThan(200_000);
    const { cells: written } = JSON.parse(await saved(stage, page));
    expect(written[0].source).toEqual([`x0 = 1${"0123456789".repeat(5)}`]);
    expect(written[19].outputs[0].data["image/png"]).toBe(png);
  });

  it.each(["light", "dark"] as const)(
    "has nothing that axe finds wrong, in %s",
    async (colorScheme) => {
      const text = notebook(
        markdown(
          "# Title\n\n| a | b |\n|---|---|\n| 1 | `2` |\n\n> quoted\n\n[a link](https://example.org)",
        ),
        code(`${TABLE}`),
        code(`${PLOT}`),
        code(
          "import sys\nprint('careful', file=sys.stderr)\nfor i in range(60): print(f'\\033[{31 + i % 6}mline {i}\\033[0m')",
        ),
        code("1 / 0"),
      );
      const stage = await Stage.open(browser(), { files: { "a.ipynb": text } });
      const context = await browser().newContext({ colorScheme, bypassCSP: true });
      onTestFinished(() => context.close());
      const page = await context.newPage();
      await page.goto(stage.lockstep.announcement.url ?? "");
      await page.getByRole("navigation", { name: "Views" }).waitFor();
      await openNotebook(page);
      await page.getByRole("button", { name: "Run all", exact: true }).click();
      await cell(page, 5).getByText("ZeroDivisionError").first().waitFor();
      expect(await faultsOf(page), "after a run").toEqual([]);
      await enter(page, 2);
      expect(await faultsOf(page), "in a text").toEqual([]);
      await page.getByRole("button", { name: /^Kernel:/ }).click();
      await page.getByRole("menu").waitFor();
      expect(await faultsOf(page), "with a menu").toEqual([]);
    },
  );
});
