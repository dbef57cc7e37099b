import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { WorkbenchScene } from "../workbench-scene.js";
import { Asking } from "./scene.js";

/** Those that a person would have installed. */
const bin = fileURLToPath(new URL("../../../../node_modules/.bin", import.meta.url));
const env = { PATH: `${bin}:${process.env.PATH}`, HOME: process.env.HOME };

interface Case {
  readonly server: string;
  readonly name: string;
  readonly good: string;
  readonly bad: string;
  /** What is said of the bad text. */
  readonly problem: RegExp;
}

const CASES: readonly Case[] = [
  {
    server: "json",
    name: "a.json",
    good: '{ "a": 1 }\n',
    bad: '{ "a": 1,, }\n',
    problem: /Property expected|expected/i,
  },
  {
    server: "css",
    name: "a.css",
    good: "a {\n  color: red;\n}\n",
    bad: "a {\n  color red;\n}\n",
    problem: /colon expected/,
  },
  {
    server: "css",
    name: "a.scss",
    good: "$a: red;\na {\n  color: $a;\n}\n",
    bad: "$a: red;\na {\n  color $a;\n}\n",
    problem: /colon expected/,
  },
  {
    server: "html",
    name: "a.html",
    good: "<style>a { color: red; }</style>\n",
    bad: "<style>a { color red; }</style>\n",
    problem: /colon expected/,
  },
  {
    server: "pyright",
    name: "a.py",
    good: "x: int = 1\n",
    bad: 'x: int = "1"\n',
    problem: /is not assignable to/,
  },
  {
    server: "yaml",
    name: "a.yaml",
    good: "a: 1\nb: 2\n",
    bad: "a: 1\na: 2\n",
    problem: /Map keys must be unique/,
  },
];

describe("the real server for", () => {
  for (const { server, name, good, bad, problem } of CASES) {
    it(`${name} says what is wrong with a file that an agent has written, then nothing`, async () => {
      await using scene = await WorkbenchScene.open({ [name]: good }, env);
      const agent = new Asking(scene);
      agent.turn();
      const page = await scene.page();
      await page.until(({ languageServers }) => languageServers[server]?.status === "ready");
      await vi.waitUntil(async () => (await agent.baseline(name)).length === 0, 20_000);
      await scene.write(name, bad);
      await vi.waitUntil(async () => (await agent.all())[name] !== undefined, 30_000);
      const found = await agent.all();
      expect(found[name]).toEqual([expect.stringMatching(problem)]);
      await scene.write(name, good);
      await vi.waitUntil(async () => (await agent.all())[name] === undefined, 30_000);
      expect(await agent.all()).toEqual({});
    });
  }

  it("bash knows the functions of a script", async () => {
    const text = "greet() {\n  echo hi\n}\ngreet\n";
    await using scene = await WorkbenchScene.open({ "a.sh": text }, env);
    const page = await scene.page();
    const uri = scene.uri("a.sh");
    await page.call("tab.open", { uri, preview: false });
    const ask = () => page.call("language.symbols", { uri });
    // It looks at a text some time after it was told of it.
    await vi.waitUntil(async () => (await ask()).length > 0, 20_000);
    const symbols = await ask();
    expect(symbols.map(({ name, kind }) => [name, kind])).toEqual([["greet", "function"]]);
    const position = { line: 3, character: 2 };
    const [place] = await page.call("language.definition", { uri, position, what: "definition" });
    expect(place?.range.start.line).toBe(0);
  });

  it("python completes and knows types", async () => {
    const text = 'name = "Ada"\nname.upp\n';
    await using scene = await WorkbenchScene.open({ "a.py": text }, env);
    const page = await scene.page();
    const uri = scene.uri("a.py");
    await page.call("tab.open", { uri, preview: false });
    const position = { line: 1, character: 8 };
    const { items } = await page.call("language.complete", { uri, position });
    expect(items.map(({ label }) => label)).toContain("upper");
    const hover = await page.call("language.hover", { uri, position: { line: 0, character: 1 } });
    expect(hover?.text).toContain("name: ");
  });

  it("css completes properties", async () => {
    await using scene = await WorkbenchScene.open({ "a.css": "a {\n  col\n}\n" });
    const page = await scene.page();
    const uri = scene.uri("a.css");
    await page.call("tab.open", { uri, preview: false });
    const position = { line: 1, character: 5 };
    const { items } = await page.call("language.complete", { uri, position });
    expect(items.map(({ label }) => label)).toContain("color");
  });

  it("a language that is not installed is called missing, with what installs it", async () => {
    await using scene = await WorkbenchScene.open({ "a.py": "x = 1\n" });
    const page = await scene.page();
    await page.call("tab.open", { uri: scene.uri("a.py"), preview: false });
    await page.until(({ languageServers }) => languageServers.pyright !== undefined);
    await page.until(({ languageServers }) => languageServers.pyright?.status !== "working");
    expect(page.state.languageServers.pyright).toMatchObject({
      status: "missing",
      detail: "It is not on this machine. To install it: npm install --global pyright",
    });
  });
});

describe("a schema that a file names is not fetched by the real server for", () => {
  for (const [name, text, problem] of [
    ["a.yaml", "# yaml-language-server: $schema=URL\na: 1\na: 2\n", /Map keys must be unique/],
    ["a.json", '{ "$schema": "URL", "a": 1,, }\n', /expected/i],
  ] as const) {
    it(name, async () => {
      const asked: string[] = [];
      const elsewhere = createServer((request, response) => {
        asked.push(request.url ?? "");
        response.end('{ "maxProperties": 0 }');
      });
      onTestFinished(() => void elsewhere.close());
      await once(elsewhere.listen(0, "127.0.0.1"), "listening");
      const { port } = elsewhere.address() as AddressInfo;
      const files = { [name]: text.replace("URL", `http://127.0.0.1:${port}/schema.json`) };
      await using scene = await WorkbenchScene.open(files, env);
      const agent = new Asking(scene);
      agent.turn();
      // It looks for the schema before it says anything of the file.
      await vi.waitUntil(async () => (await agent.baseline(name)).length > 0, 20_000);
      expect(asked).toEqual([]);
      expect(await agent.baseline(name)).toEqual([expect.stringMatching(problem)]);
    });
  }
});
