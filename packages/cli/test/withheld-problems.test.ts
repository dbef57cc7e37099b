import { serve } from "@lockstep/server";
import { expect, it, vi } from "vitest";
import { WireAgent } from "../../server/test/wire-agent.js";
import { WorkbenchScene } from "../../workbench/test/workbench-scene.js";

/** Files that are kept from agents, each for another reason. */
const WITHHELD = ["credentials.json", "drafts/a.json", "private/a.json", "dist/a.json"];

it("what is wrong with files that are withheld reaches no agent, asked for or not", async () => {
  const broken = '{ "password": hunter2 }\n';
  await using scene = await WorkbenchScene.open({
    ...Object.fromEntries(WITHHELD.map((name) => [name, broken])),
    "open.json": '{ "a": oops }\n',
    ".gitignore": "dist/\n",
    "lockstep.json": '{ "privateFiles": ["drafts/"] }',
    ".claude/settings.json": '{ "permissions": { "deny": ["Read(./private/**)"] } }',
  });
  const { workbench } = scene;
  const server = await serve(workbench, {
    configDir: scene.path("../config"),
    privacy: workbench.privacy,
  });
  workbench.attach(server);
  const page = await scene.page();
  await using agent = await WireAgent.connect(server);
  const ask = (input: { uri?: string }) => agent.ask("getDiagnostics", input);

  // Open before the eyes of the person, who is told what is wrong with each.
  for (const name of WITHHELD)
    await page.call("tab.open", { uri: scene.uri(name), preview: false });
  const known = () => Object.values(page.state.problems).map(({ path }) => path);
  await page.until(() => WITHHELD.every((name) => known().includes(name)));
  await page.call("tab.open", { uri: scene.uri("open.json"), preview: false });
  await page.until(() => known().includes("open.json"));

  const told = (await ask({})) as { uri: string }[];
  expect(told.map(({ uri }) => uri)).toEqual([`file://${scene.path("open.json")}`]);
  for (const name of WITHHELD) {
    const uri = `file://${scene.path(name)}`;
    expect(await ask({ uri }), name).toEqual([{ uri, diagnostics: [] }]);
  }
  const isNews = ({ method }: { method?: unknown }) => method === "diagnostics_changed";
  await vi.waitUntil(() => JSON.stringify(agent.received.filter(isNews)).includes("open.json"));
  const news = JSON.stringify(agent.received.filter(isNews));
  for (const name of WITHHELD) expect(news).not.toContain(name);
  await server.stop();
});
