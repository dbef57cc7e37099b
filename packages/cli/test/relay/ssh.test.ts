import { once } from "node:events";
import { readFile, stat } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { isAlive } from "@lockstep/client";
import { fileUri } from "@lockstep/protocol";
import { describe, expect, it } from "vitest";
import { whyMissing } from "../../../../scripts/setup-system.mjs";
import { titled } from "../../../server/test/attacks/needs.js";
import { PATIENCE, start } from "../command.js";
import {
  agentAt,
  expectProposal,
  expectRefused,
  listening,
  locks,
  loopback,
  openDiff,
  type Places,
  places,
  readyOf,
} from "./places.js";
import { startSshd } from "./sshd.js";

const noSshd = whyMissing("sshd");
if (noSshd && process.env.CI) throw new Error(`On CI nothing may be missing: ${noSshd}`);

describe.skipIf(noSshd)(titled("lockstep relay ssh", noSshd), () => {
  const remote = ({ lockstep }: Places) => lockstep.map((word) => `'${word}'`).join(" ");

  /** By the person's own ssh to a real sshd. */
  async function relayedBySsh(between: Places, command = remote(between)) {
    const sshd = await startSshd();
    const args = ["ssh", "box", "--map", between.map, "--remote-command", command];
    const child = start(
      between.scene.home,
      ["relay", ...args, "--json", "--", ...sshd.options],
      between.scene.folder,
    );
    const told = await readyOf(child);
    return { sshd, child, ...told };
  }

  it("carries a proposal, and opens no port but the agents' on loopback", async () => {
    const between = await places();
    const { ready, child } = await relayedBySsh(between);
    const { pid } = JSON.parse(await readFile(ready.lockFile, "utf8"));
    expect(await listening(child.pid ?? 0)).toEqual([]);
    expect(await listening(pid)).toEqual([loopback(ready.port)]);
    const agent = await agentAt(between, ready);
    expect(await expectProposal(between, openDiff(agent))).toMatchObject({ kind: "saved" });
    const [tab] = await agent.tools.getOpenEditors();
    expect(tab?.uri).toBe(fileUri(join(between.far.folder, "a.ts")));
  });

  it("passes over what the shell there says first", async () => {
    const between = await places();
    const { ready } = await relayedBySsh(between, `echo Welcome to box; ${remote(between)}`);
    await expectProposal(between, openDiff(await agentAt(between, ready)));
  });

  it("announces where it is told to", async () => {
    const between = await places();
    const sshd = await startSshd();
    const configDir = join(between.far.home, "it's here");
    const args = ["ssh", "box", "--map", between.map, "--remote-command", remote(between)];
    const child = start(
      between.scene.home,
      ["relay", ...args, "--remote-config-dir", configDir, "--json", "--", ...sshd.options],
      between.scene.folder,
    );
    const { ready } = await readyOf(child);
    expect(ready.lockFile).toBe(join(configDir, "ide", `${ready.port}.lock`));
    await stat(ready.lockFile);
  });

  it("leaves nothing there when the connection is cut, or the relay killed", async () => {
    const between = await places();
    for (const end of ["cut", "killed"]) {
      const { ready, sshd, child, ended } = await relayedBySsh(between);
      const { pid } = JSON.parse(await readFile(ready.lockFile, "utf8"));
      if (end === "cut") {
        await sshd.cut();
        expect((await ended)[0]).toBe(1);
      } else child.kill("SIGKILL");
      await expect.poll(() => isAlive(pid), PATIENCE).toBe(false);
      await expect.poll(() => locks(between.far.home), PATIENCE).toEqual([]);
    }
  });

  it("says so where there is no lockstep there, or nobody answers", async () => {
    const between = await places();
    const sshd = await startSshd();
    const silent = createServer().listen(0, "127.0.0.1");
    await once(silent, "listening");
    const { port } = silent.address() as { port: number };
    silent.close();
    await once(silent, "close");
    const { options } = sshd;
    await expectRefused(between, [
      [
        ["ssh", "box", "--remote-command", "no-such-lockstep", "--", ...options],
        "There is no lockstep on box. Install it",
        1,
      ],
      [
        ["ssh", "box", "--", "-p", String(port), ...options],
        "ssh ended with 255 before the relay began",
        1,
      ],
    ]);
  });
});
