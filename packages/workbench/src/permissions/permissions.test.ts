import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { initialState } from "../state/initial-state.js";
import { Store } from "../state/store.js";
import { Permissions } from "./permissions.js";

const wish = { key: ["run-code", "Claude Code"], title: "Claude Code may run code", detail: "" };

describe("a permission", () => {
  let stateDir = "";
  let store = new Store(initialState("/project"));
  beforeEach(async () => {
    stateDir = await mkdtemp(join(tmpdir(), "lockstep-permissions-"));
  });
  afterEach(() => rm(stateDir, { recursive: true }));

  const open = () => {
    store = new Store(initialState("/project"));
    const report = (problem: unknown) => expect.fail(String(problem));
    const broadcast = () => {};
    return Permissions.open({ store, folders: ["/project"], stateDir, report, broadcast });
  };
  const given = () => Object.values(store.state.permissions);

  it("is asked for once, however many wait, and is there after a restart", async () => {
    const permissions = await open();
    let questions = 0;
    const ask = async () => ++questions > 0;
    expect(await Promise.all([permissions.allow(wish, ask), permissions.allow(wish, ask)])).toEqual(
      [true, true],
    );
    expect(await permissions.allow(wish, ask)).toBe(true);
    expect(questions).toBe(1);
    expect(given()).toMatchObject([{ title: wish.title }]);
    expect((await stat(join(stateDir, "permissions.json"))).mode & 0o777).toBe(0o600);

    const later = await open();
    expect(await later.allow(wish, async () => false)).toBe(true);
  });

  it("is not somebody else's, nor for something else", async () => {
    const permissions = await open();
    await permissions.allow(wish, async () => true);
    for (const key of [["run-code", "Other"], ["format", "Claude Code"], ["run-codeClaude Code"]]) {
      expect(await permissions.allow({ ...wish, key }, async () => false)).toBe(false);
    }
  });

  it("that was refused is asked for again", async () => {
    const permissions = await open();
    expect(await permissions.allow(wish, async () => false)).toBe(false);
    expect(given()).toEqual([]);
    expect(await permissions.allow(wish, async () => true)).toBe(true);
  });

  it("is gone when it is taken back, also from the disk, and those who use it hear of it", async () => {
    const permissions = await open();
    await permissions.allow(wish, async () => true);
    let heard = 0;
    permissions.onRevoke(() => heard++);
    const [permission] = given();
    await permissions.handlers["permission.revoke"]({ id: permission?.id ?? "" }, null as never);
    expect(heard).toBe(1);
    expect(permissions.has(wish.key)).toBe(false);
    expect(JSON.parse(await readFile(join(stateDir, "permissions.json"), "utf8"))).toEqual([]);
  });
});
