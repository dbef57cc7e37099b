import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { Drafts } from "./drafts.js";

it("a draft that cannot be made is reported, and keeps no other from being written", async () => {
  const folder = await mkdtemp(join(tmpdir(), "lockstep-drafts-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const fault = new Error("a fault");
  let drafts: Drafts | undefined;
  const good = {
    ...{ format: 1, id: "good", uri: "file:///a", agent: { id: "1", name: "Ada" }, since: 1 },
    ...{ outside: false, moved: false, merge: false, touched: true, base: "a", shown: "b" },
  } as const;
  const reported = new Promise((resolve) => {
    void Drafts.open(folder, resolve).then((opened) => {
      drafts = opened;
      const failing = () => {
        throw fault;
      };
      opened.save("bad", failing, false);
      opened.save("good", () => good as never, false);
    });
  });
  expect(await reported).toBe(fault);
  await drafts?.flush();
  expect(await drafts?.restore()).toMatchObject([{ id: "good" }]);
});
