import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { titled, whyNoJupyter } from "../../../../e2e/src/needs.js";

const PROGRAM = fileURLToPath(new URL("program.ts", import.meta.url));
const CODE = `import os, json, subprocess
child = subprocess.Popen(["sleep", "600"])
config = get_ipython().config["IPKernelApp"]
print(json.dumps([os.getpid(), child.pid, config["connection_file"]]))`;

const reason = whyNoJupyter();

describe.skipIf(reason)(titled("with the workbench", reason), () => {
  for (const signal of ["SIGKILL", "SIGTERM"] as const) {
    it(`a kernel, what it has started and its folder end by ${signal}`, async () => {
      const folder = await mkdtemp(join(tmpdir(), "lockstep-ending-"));
      onTestFinished(() => rm(folder, { recursive: true, force: true }));
      const args = ["--import", "tsx", "--conditions", "@lockstep/source", PROGRAM, folder, CODE];
      const workbench = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
      onTestFinished(() => void workbench.kill("SIGKILL"));
      const exited = once(workbench, "exit");
      const [line] = await once(createInterface(workbench.stdout), "line");
      const [{ text }] = JSON.parse(line);
      const [kernel, child, file] = JSON.parse(text) as [number, number, string];
      expect([kernel, child].every(isAlive)).toBe(true);
      expect(existsSync(file)).toBe(true);

      workbench.kill(signal);
      await exited;

      await expect.poll(() => isAlive(kernel) || isAlive(child), { timeout: 20_000 }).toBe(false);
      await expect.poll(() => existsSync(dirname(file)), { timeout: 20_000 }).toBe(false);
    });
  }
});

/** One that has ended and that nobody has taken note of yet is gone as well. */
function isAlive(pid: number): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}
