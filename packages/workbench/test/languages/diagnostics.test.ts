import { expect, it, vi } from "vitest";
import { WorkbenchScene } from "../workbench-scene.js";
import { Asking, TSCONFIG } from "./scene.js";

const NUMBER = "Type 'number' is not assignable to type 'string'.";

it("an agent hears exactly the problem that its write has made, then none", async () => {
  await using scene = await WorkbenchScene.open({
    "tsconfig.json": TSCONFIG,
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
