import { once } from "node:events";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { rawRequest } from "../../server/test/raw-http.js";
import { run, start } from "./command.js";
import { project } from "./project.js";

describe("lockstep tap --view", () => {
  const heading = { lockstep: "recording", version: 1, startedAt: "", ide: { name: "x" } };
  const moment = { at: 1, time: "", connection: 1, from: "agent" };

  async function written(...lines: readonly unknown[]) {
    const { home, folder } = await project();
    const file = join(folder, "r.jsonl");
    const text = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line)));
    await writeFile(file, text.join("\n"));
    return { home, folder, file };
  }

  it("writes one page that runs nothing of what was recorded", async () => {
    const evil = `</script><img src=x onerror=alert(1)><!--<script>\u2028${"\u001b"}[2J`;
    const { home, folder, file } = await written(
      { ...heading, ide: { name: evil, folders: [evil] }, command: [evil] },
      { ...moment, kind: "text", text: evil },
      { ...moment, kind: "text", text: JSON.stringify({ id: 1, method: evil, params: evil }) },
      { ...moment, kind: "close", code: 1000, reason: evil },
    );
    const out = join(folder, "page.html");
    const { code, stdout } = await run(home, ["tap", "--view", file, "--out", out], folder);
    expect([code, stdout]).toEqual([0, `${out}\n`]);
    expect((await stat(out)).mode & 0o777).toBe(0o600);
    const html = await readFile(out, "utf8");
    expect(html).not.toContain("<img");
    expect(html).not.toContain("<!--");
    expect(html.match(/<script/g)).toHaveLength(2);
    expect(html).toMatch(
      /Content-Security-Policy" content="default-src 'none'; script-src 'sha256-/,
    );
    expect(html).not.toContain("unsafe-");
    expect((await run(home, ["tap", "--view", file, "--out", out], folder)).code).toBe(2);
  });

  it("gives it out once, at an address that cannot be guessed", async () => {
    const { home, folder, file } = await written(heading, { ...moment, kind: "text", text: "{}" });
    const child = start(home, ["tap", "--view", file, "--no-open"], folder);
    const [line] = await once(child.stdout as NodeJS.ReadableStream, "data");
    const url = new URL(String(line).trim());
    expect(url.hostname).toBe("127.0.0.1");
    expect(url.pathname.length).toBeGreaterThan(40);
    expect((await fetch(new URL("/", url))).status).toBe(404);
    expect((await fetch(url, { method: "POST" })).status).toBe(405);
    const bent = await rawRequest(Number(url.port), ["Host: evil.test"], { path: url.pathname });
    expect(bent.status).toBe(403);
    const page = await fetch(url);
    expect(await page.text()).toContain("<title>Recording");
    expect(page.headers.get("x-frame-options")).toBe("DENY");
    expect((await once(child, "close"))[0]).toBe(0);
  });

  it("says what is wrong with a file that is no recording", async () => {
    const long = { ...moment, kind: "text", text: "x".repeat(3_000_000) };
    const cases: readonly [readonly unknown[], RegExp][] = [
      [[""], /the file is empty/],
      [["\u001b[2Jnot json", ""], /line 1: this is not JSON/],
      [[{ lockstep: "other" }], /begins with a line about itself/],
      [[heading, "{", heading], /line 2: this is not JSON/],
      [[heading, { ...moment, kind: "nonsense" }], /line 2: this is not an entry/],
      [[heading, { ...moment, at: -1, kind: "text", text: "" }], /line 2: this is not an entry/],
      [[heading, long, "null", ""], /line 3: this is not an entry/],
    ];
    for (const [lines, sentence] of cases) {
      const { home, folder, file } = await written(...lines);
      const { code, stderr } = await run(home, ["tap", "--view", file, "--out", "x"], folder);
      expect(stderr).toMatch(sentence);
      expect([code, stderr.includes("\u001b")]).toEqual([1, false]);
    }
    const { home, folder } = await project();
    const missing = await run(home, ["tap", "--view", "no.jsonl"], folder);
    expect([missing.code, missing.stderr]).toEqual([2, "lockstep: There is no file no.jsonl\n"]);
    expect((await run(home, ["tap", "--view", "."], folder)).stderr).toContain("ordinary file");
  });

  it("shows what there is of a recording that was cut off, and the beginning of huge frames", async () => {
    const deep = "[".repeat(100_000) + "]".repeat(100_000);
    const { home, folder, file } = await written(
      heading,
      { ...moment, kind: "text", text: `{"method":"${"x".repeat(3_000_000)}"}` },
      { ...moment, kind: "text", text: `{"id":1,"method":"m","params":${deep}}` },
      '{"at":2,"ti',
    );
    const out = join(folder, "page.html");
    expect((await run(home, ["tap", "--view", file, "--out", out], folder)).code).toBe(0);
    const html = await readFile(out, "utf8");
    expect(html.length).toBeLessThan(1_500_000);
    expect(html).toContain('"torn":true');
  });
});
