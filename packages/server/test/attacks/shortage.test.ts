import { mkdir, readdir } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Lease } from "../../src/node/lease.js";
import { Scene } from "../scene.js";
import { WireAgent } from "../wire-agent.js";
import { titled, UNSHARE, whyNoMounts } from "./needs.js";
import { ServerProcess } from "./server-process.js";

const below = (folder: string) => readdir(folder, { recursive: true });

const noMounts = whyNoMounts();
describe.skipIf(noMounts)(titled("a disk that takes nothing", noMounts), () => {
  /** Runs the server with a file system of its own in the place of a folder. */
  const onto = (folder: string, options: string, then = ":") => [
    ...UNSHARE,
    "sh",
    "-c",
    `mount -t tmpfs -o ${options} tmpfs "$0" && { ${then}; exec "$@"; }`,
    folder,
  ];

  it("because it is full: a sentence, no half file, and the port is free again", async () => {
    await using scene = await Scene.open();
    const { folder } = scene;
    const full = join(scene.home, "full");
    await mkdir(full);
    const configDir = join(full, "claude");
    const stateDir = join(scene.home, "state");
    const fill = 'mkdir -p -m 700 "$0/claude/ide"; head -c 65536 /dev/zero > "$0/fill" 2>/dev/null';
    const wrapper = onto(full, "size=16k", fill);
    const refused = await ServerProcess.refused({ folder, configDir, stateDir, wrapper });
    expect(refused.code).toBe("folder-unusable");
    expect(refused.message).toMatch(/\.lock cannot be used \(ENOSPC/);
    expect(refused.left).toEqual(["ide"]);
  });

  it("because it is full where the lease goes: the process still ends by itself", async () => {
    await using scene = await Scene.open();
    const { folder } = scene;
    const full = join(scene.home, "full");
    await mkdir(full);
    const fill =
      'mkdir -p -m 700 "$0/state/leases"; head -c 65536 /dev/zero > "$0/fill" 2>/dev/null';
    const refused = await ServerProcess.refused({
      folder,
      configDir: join(scene.home, ".claude"),
      stateDir: join(full, "state"),
      wrapper: onto(full, "size=16k", fill),
    });
    expect(refused.code).toBe("folder-unusable");
    expect(refused.message).toContain("ENOSPC");
    expect(await below(join(scene.home, ".claude"))).toEqual(["ide"]);
  });

  it("because it is mounted read-only", async () => {
    await using scene = await Scene.open();
    const { folder } = scene;
    const home = join(scene.home, "read-only");
    await mkdir(home);
    const refused = await ServerProcess.refused({ home, folder, wrapper: onto(home, "ro") });
    expect(refused.code).toBe("folder-unusable");
    expect(refused.message).toContain("EROFS");
  });
});

describe("what has run out, or was never there", () => {
  it("no port is left: a sentence", async () => {
    await using scene = await Scene.open();
    const taking = Lease.take({
      stateDir: join(scene.home, "state"),
      face: "claude",
      folders: [scene.folder],
      tokenFormat: "uuid",
      bind: async () => false,
    });
    await expect(taking).rejects.toMatchObject({ code: "no-free-port" });
    expect(await below(join(scene.home, "state"))).toEqual(["leases"]);
  });

  it("no file descriptor is left: the server lives, serves whom it has, and others again later", async () => {
    await using scene = await Scene.open();
    const { home, folder } = scene;
    const wrapper = ["sh", "-c", 'ulimit -n 256; exec "$0" "$@"'];
    await using child = await ServerProcess.start({ home, folder, wrapper });
    await using agent = await WireAgent.connect(child.ready);
    const { port } = child.ready;
    const crowd = Array.from({ length: 600 }, () => connect({ port, host: "127.0.0.1" }));
    for (const socket of crowd) socket.on("error", () => {}).resume();
    for (let round = 0; round < 20; round++) {
      expect((await agent.call("getWorkspaceFolders")).isError).toBe(false);
    }
    for (const socket of crowd) socket.destroy();
    await using _later = await WireAgent.connect(child.ready);
    expect((await agent.call("getWorkspaceFolders")).isError).toBe(false);
  });

  it("a tool that nobody has is named in the error", async () => {
    await using scene = await Scene.open();
    const agent = await scene.agent();
    const reply = await agent.request("tools/call", { name: "noSuch\u001bTool" });
    expect(reply.error).toEqual({
      code: -32602,
      message: 'Invalid params: there is no tool "noSuch\\u001bTool"',
    });
  });
});
