import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { whyMissing } from "../../../../scripts/setup-system.mjs";
import { titled } from "../../../server/test/attacks/needs.js";
import { LOCKSTEP } from "../command.js";
import { expectProposal, places, readyOf, relaying } from "./places.js";

const UNSHARE = [
  ...(process.getuid?.() === 0 ? [] : ["-r"]),
  ...["--net", "--mount", "--pid", "--fork", "--mount-proc", "--kill-child"],
];

/** Why there are no namespaces here; on CI only the kernel may be the reason. */
function whyNoNamespaces(): string | undefined {
  const missing = whyMissing("unshare") ?? whyMissing("ip");
  if (missing && process.env.CI) throw new Error(`On CI nothing may be missing: ${missing}`);
  const { status, stderr } = spawnSync("unshare", [...UNSHARE, "true"], { encoding: "utf8" });
  return missing ?? (status === 0 ? undefined : `the kernel forbids namespaces: ${stderr}`);
}

const noNamespaces = whyNoNamespaces();

describe.skipIf(noNamespaces)(titled("lockstep relay into a container", noNamespaces), () => {
  it("carries a proposal between network, process and mount namespaces", async () => {
    const between = await places();
    const { scene, far, server } = between;
    const socket = join(scene.home, "s");
    await relaying(between, ["listen", socket, "--map", between.map]);
    const inside = [
      "ip link set lo up",
      `mount --bind "${scene.folder}" "${far.folder}"`,
      // Its name here is not there.
      `mount -t tmpfs none "${scene.folder}"`,
      `"$@" & wait`,
    ].join(" && ");
    const { PATH } = process.env;
    const env = { PATH: `${PATH}:/usr/sbin:/sbin`, HOME: far.home };
    const join_ = [process.execPath, LOCKSTEP, "relay", "join", socket, "--json"];
    const box = spawn("unshare", [...UNSHARE, "sh", "-c", inside, "sh", ...join_], {
      env,
      cwd: scene.home,
    });
    const { ready } = await readyOf(box, "SIGKILL");
    const [first] = (await readFile(`/proc/${box.pid}/task/${box.pid}/children`, "utf8")).split(
      " ",
    );
    /** Runs a command in the container. */
    const there = (...command: readonly string[]) => {
      const enter = ["--target", String(first), "--net", "--pid", "--mount"];
      const child = spawn("nsenter", [...enter, `--wdns=${far.folder}`, ...command], { env });
      let out = "";
      for (const stream of [child.stdout, child.stderr])
        stream.on("data", (chunk) => (out += chunk));
      return once(child, "close").then(([code]) => ({ code: code as number, out }));
    };
    const lockstep = (...args: readonly string[]) => there(process.execPath, LOCKSTEP, ...args);

    // Another network, other processes, other folders: only the socket is shared.
    const direct = `require("net").connect(${server.port}, "127.0.0.1").on("error", () => process.exit(9))`;
    expect((await there(process.execPath, "-e", direct)).code).toBe(9);
    expect((await there("ls", scene.folder)).out).toBe("");
    const { pid } = JSON.parse(await readFile(ready.lockFile, "utf8"));
    expect((await there("kill", "-0", String(pid))).code).toBe(0);
    expect((await there("cat", `/proc/${pid}/cmdline`)).out).toContain("relay");

    const doctor = await lockstep("doctor", "--json");
    expect(JSON.parse(doctor.out).connects).toMatchObject({ port: ready.port });
    const answer = await expectProposal(between, (path) =>
      lockstep(
        "call",
        "openDiff",
        JSON.stringify({ old_file_path: path, new_file_contents: "2", tab_name: "t" }),
      ),
    );
    expect(answer).toEqual({ code: 0, out: "FILE_SAVED\nconst a = 3;\n\n" });
  });
});
