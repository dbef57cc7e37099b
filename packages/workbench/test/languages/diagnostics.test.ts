import { rm, writeFile } from "node:fs/promises";
import type { Change } from "@lockstep/editor";
import { expect, it, vi } from "vitest";
import { WorkbenchScene } from "../workbench-scene.js";
import { Asking, MODULES } from "./scene.js";

const NUMBER = "Type 'number' is not assignable to type 'string'.";

it("an agent hears exactly the problem that its write has made, then none", async () => {
  await using scene = await WorkbenchScene.open({
    ...MODULES,
    "src/a.ts": "export const old: string = 1;\nexport const fine = 1;\n",
  });
  const agent = new Asking(scene);
  agent.turn();
  await vi.waitUntil(async () => (await agent.baseline("src/a.ts")).length > 0, 20_000);
  expect(await agent.baseline("src/a.ts")).toEqual([`0: ${NUMBER}`]);
  await scene.write("src/a.ts", "export const old: string = 1;\nexport const fine: string = 1;\n");
  expect(await agent.all()).toEqual({ "src/a.ts": [`0: ${NUMBER}`, `1: ${NUMBER}`] });
  await scene.write("src/a.ts", "export const old: string = 1;\nexport const fine = '1';\n");
  expect(await agent.all()).toEqual({ "src/a.ts": [`0: ${NUMBER}`] });
});

/** A turn has begun, and the server has said what it has to say of the file. */
async function begun(files: Readonly<Record<string, string>>, name: string) {
  const scene = await WorkbenchScene.open({ ...MODULES, ...files });
  const agent = new Asking(scene);
  agent.turn();
  const page = await scene.page();
  await page.until(({ languageServers }) => languageServers.typescript?.status === "ready");
  await agent.baseline(name);
  await agent.all();
  return { scene, agent, page };
}

it("files that nobody has open or named are covered when they change in a turn", async () => {
  const { scene, agent } = await begun({ "src/a.ts": "export const a = 1;\n" }, "src/a.ts");
  await using _ = scene;
  await scene.write("src/new.ts", "export const x: string = 1;\n");
  await vi.waitUntil(async () => Object.keys(await agent.all()).length > 0, 20_000);
  expect(await agent.all()).toEqual({ "src/new.ts": [`0: ${NUMBER}`] });
  await rm(scene.path("src/new.ts"));
  expect(await agent.all()).toEqual({});
});

it("an error that an edit makes in another file that is worked on is told as well", async () => {
  const { scene, agent } = await begun(
    {
      "src/a.ts": "export const a = 'x';\n",
      "src/b.ts": "import { a } from './a.js';\nexport const b: string = a;\n",
    },
    "src/a.ts",
  );
  await using _ = scene;
  expect(await agent.baseline("src/b.ts")).toEqual([]);
  await scene.write("src/a.ts", "export const a = 1;\n");
  expect(await agent.all()).toEqual({ "src/b.ts": [`1: ${NUMBER}`] });
});

it("what is unsaved counts, and not what the file has", async () => {
  const { scene, agent, page } = await begun({ "src/a.ts": "export const a = 1;\n" }, "src/a.ts");
  await using _ = scene;
  const uri = scene.uri("src/a.ts");
  await page.call("tab.open", { uri, preview: false });
  const { epoch, version } = await page.call("text.attach", { name: uri });
  const updates = [{ clientID: "me", changes: [14, [0, ": string"], 6] }];
  await page.call("text.push", { name: uri, epoch, version, updates });
  expect(await agent.all()).toEqual({ "src/a.ts": [`0: ${NUMBER}`] });
  await page.call("tab.close", { uri, discard: true });
  expect(await agent.all()).toEqual({});
});

it("what is settled is answered at once, and changes are told", async () => {
  const { scene, agent } = await begun({ "src/a.ts": "export const a = 1;\n" }, "src/a.ts");
  await using _ = scene;
  const told: Change[] = [];
  scene.workbench.subscribe((change) => void told.push(change));
  const before = performance.now();
  await agent.all();
  expect(performance.now() - before).toBeLessThan(1_000);
  await scene.write("src/a.ts", "export const a: string = 1;\n");
  await vi.waitUntil(() => told.some(({ kind }) => kind === "diagnostics"), 20_000);
  expect(told).toContainEqual({ kind: "diagnostics", uris: [scene.uri("src/a.ts")] });
});

it("a file outside of the workspace, and one that is not there, have no problems", async () => {
  const { scene, agent } = await begun({ "src/a.ts": "export const a = 1;\n" }, "src/a.ts");
  await using _ = scene;
  await writeFile(`${scene.root}/out.ts`, "export const x: string = 1;\n");
  expect(await agent.baseline("../out.ts")).toEqual([]);
  expect(await agent.baseline("src/none.ts")).toEqual([]);
  expect(await agent.all()).toEqual({});
});
