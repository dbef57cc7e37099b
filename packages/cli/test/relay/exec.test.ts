import { readdir, readFile, stat, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { type IdeConnection, isAlive } from "@lockstep/client";
import { describe, expect, it } from "vitest";
import { rawRequest, UPGRADE } from "../../../server/test/raw-http.js";
import { PATIENCE } from "../command.js";
import {
  agentAt,
  expectProposal,
  listening,
  locks,
  loopback,
  openDiff,
  places,
  relayed,
} from "./places.js";

describe("lockstep relay exec", () => {
  it("carries a proposal, with the paths of either side", async () => {
    const between = await places();
    const { ready, child } = await relayed(between);
    expect(ready.workspaceFolders).toEqual([between.far.folder]);
    const lock = JSON.parse(await readFile(ready.lockFile, "utf8"));
    expect(lock).toMatchObject({ workspaceFolders: [between.far.folder], ideName: "Lockstep" });
    expect(isAlive(lock.pid)).toBe(true);
    expect(lock.pid).not.toBe(process.pid);
    expect(lock.pid).not.toBe(child.pid);

    const agent = await agentAt(between, ready);
    expect(await expectProposal(between, openDiff(agent))).toEqual({
      kind: "saved",
      text: "const a = 3;\n",
    });
    expect(await agent.tools.getWorkspaceFolders()).toEqual([between.far.folder]);
    const [tab] = await agent.tools.getOpenEditors();
    expect(tab).toMatchObject({ path: join(between.far.folder, "a.ts") });
    const selected = new Promise((resolve) => {
      agent.on("selection_changed", ({ filePath, text }) => text && resolve({ filePath, text }));
    });
    const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 5 } };
    between.scene.editor.select(between.uri, range);
    expect(await selected).toEqual({ filePath: join(between.far.folder, "a.ts"), text: "const" });
  });

  it("ends without complaint when a key has told the other process first", async () => {
    const between = await places();
    const { ready, said, child, ended } = await relayed(between);
    const { pid } = JSON.parse(await readFile(ready.lockFile, "utf8"));
    process.kill(pid, "SIGKILL");
    while (isAlive(pid)) await setImmediate();
    child.kill("SIGINT");
    expect((await ended)[0]).toBe(0);
    expect(said()).not.toContain("The connection has ended");
  });

  it("takes nothing for the reason of the end that was said at the start", async () => {
    const between = await places();
    const { lockstep } = between;
    const warns = ["sh", "-c", 'echo "by the way" >&2; exec "$@"', "sh", ...lockstep];
    const { ready, said, ended } = await relayed({ ...between, lockstep: warns });
    const { pid } = JSON.parse(await readFile(ready.lockFile, "utf8"));
    process.kill(pid, "SIGKILL");
    expect((await ended)[0]).toBe(1);
    expect(said()).toContain("The connection has ended: the other end has closed it");
  });

  it("knows the folder by its real path at both ends, whatever --map calls it", async () => {
    const between = await places();
    const [here, there] = [join(between.scene.home, "here"), join(between.far.home, "there")];
    await symlink(between.scene.folder, here);
    await symlink(between.far.folder, there);
    const { ready } = await relayed({ ...between, map: `${here}=${there}` });
    expect(ready.workspaceFolders).toEqual([between.far.folder]);
    await expectProposal(between, openDiff(await agentAt(between, ready)));
  });

  it("opens nothing to others: one port of loopback, with a token of its own (attacks 1, 5, 10)", async () => {
    const between = await places();
    const { ready, said, child } = await relayed(between);
    expect(await listening(child.pid ?? 0)).toEqual([loopback(ready.port)]);

    const { authToken } = JSON.parse(await readFile(ready.lockFile, "utf8"));
    expect((await stat(ready.lockFile)).mode & 0o777).toBe(0o600);
    expect((await stat(dirname(ready.lockFile))).mode & 0o777).toBe(0o700);
    expect(authToken).not.toBe(between.authToken);
    const host = `Host: 127.0.0.1:${ready.port}`;
    const token = (value: string) => `X-Claude-Code-Ide-Authorization: ${value}`;
    const status = async (...lines: readonly string[]) =>
      (await rawRequest(ready.port, [host, ...UPGRADE, ...lines])).status;
    expect(await status(token(authToken))).toBe(101);
    expect(await status(token(between.authToken))).toBe(401);
    expect(await status()).toBe(401);
    expect(await status(token(authToken), "Origin: https://evil.example")).toBe(403);
    expect(said()).toBe("");
    for (const pid of (await readdir("/proc")).filter((name) => /^\d+$/.test(name))) {
      const line = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
      expect(line).not.toContain(authToken);
      expect(line).not.toContain(between.authToken);
    }
  });

  it("refuses what lies outside of the map, and says how to add it", async () => {
    const between = await places();
    const { ready } = await relayed(between);
    const agent = await agentAt(between, ready);
    for (const path of ["/etc/passwd", `${between.far.folder}/../../project/a.ts`]) {
      const reply = await agent.call("openDiff", {
        old_file_path: path,
        new_file_path: path,
        new_file_contents: "",
        tab_name: "t",
      });
      expect(reply.isError).toBe(true);
      expect(JSON.stringify(reply.content)).toContain("--map LOCAL=REMOTE");
    }
    expect(between.scene.sights.some(({ kind }) => kind === "shown")).toBe(false);
  });

  it("serves several agents at once, and a large proposal", async () => {
    const between = await places();
    const { ready } = await relayed(between);
    const agents = await Promise.all([1, 2, 3].map(() => agentAt(between, ready)));
    const large = "const a = 'ä';\n".repeat(700_000);
    const [first, ...others] = agents as [IdeConnection, ...IdeConnection[]];
    const answer = first.tools.openDiff({
      old_file_path: join(between.far.folder, "a.ts"),
      new_file_contents: large,
      tab_name: "large",
    });
    const proposal = await between.scene.proposal();
    for (const agent of others) expect(await agent.tools.getOpenEditors()).toHaveLength(1);
    between.scene.editor.accept(proposal.id);
    expect(await answer).toEqual({ kind: "saved", text: large });
  });

  it("follows the editor through a restart, and the agent gets through again", async () => {
    const between = await places();
    const { ready } = await relayed(between);
    const agent = await agentAt(between, ready, { delaysMs: [0, 100, 200, 400, 800] });
    const restored = new Promise<void>((resolve) => {
      agent.on("restored", () => resolve());
    });
    await between.server.stop();
    await between.scene.serve();
    await restored;
    await expectProposal(between, openDiff(agent));
    expect(agent.ide.port).toBe(ready.port);
  });

  it("withdraws the lock file while the editor is gone, and announces it when it is back", async () => {
    const between = await places();
    const { ready } = await relayed(between);
    await between.server.stop();
    await expect.poll(() => locks(between.far.home), PATIENCE).toEqual([]);
    await between.scene.serve();
    await expect.poll(() => locks(between.far.home), PATIENCE).toEqual([`${ready.port}.lock`]);
    await expectProposal(between, openDiff(await agentAt(between, ready)));
  });

  it("leaves nothing there: stopped, killed, or killed there", async () => {
    const between = await places();
    for (const end of ["SIGTERM", "SIGKILL", "there"] as const) {
      const { ready, child, ended } = await relayed(between);
      const { pid } = JSON.parse(await readFile(ready.lockFile, "utf8"));
      if (end === "there") process.kill(pid, "SIGTERM");
      else child.kill(end);
      const [code] = await ended;
      if (end !== "SIGKILL") expect(code).toBe(end === "there" ? 1 : 0);
      await expect.poll(() => isAlive(pid), PATIENCE).toBe(false);
      expect(await locks(between.far.home)).toEqual([]);
    }
  });

  it("keeps port and token for the next run, so that an agent finds its way back", async () => {
    const between = await places();
    const first = await relayed(between);
    const agent = await agentAt(between, first.ready, { delaysMs: Array(40).fill(250) });
    first.child.kill("SIGTERM");
    await first.ended;
    const again = await relayed(between);
    expect(again.ready.port).toBe(first.ready.port);
    await expectProposal(between, openDiff(agent));
  });
});
