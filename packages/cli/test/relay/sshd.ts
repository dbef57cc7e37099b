import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { isListening } from "@lockstep/client";
import { expect, onTestFinished } from "vitest";
import { PATIENCE } from "../command.js";

/** A real sshd on loopback for one test, with keys of its own. */
export async function startSshd() {
  const folder = await mkdtemp(join(tmpdir(), "lockstep-sshd-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const at = (name: string) => join(folder, name);
  for (const name of ["host", "user"]) {
    const args = ["-q", "-t", "ed25519", "-N", "", "-f", at(name)];
    expect(spawnSync("ssh-keygen", args).status).toBe(0);
  }
  await writeFile(at("authorized"), await readFile(at("user.pub")), { mode: 0o600 });
  const port = await freePort();
  const server = [
    `Port ${port}`,
    "ListenAddress 127.0.0.1",
    `HostKey ${at("host")}`,
    `AuthorizedKeysFile ${at("authorized")}`,
    `PidFile ${at("pid")}`,
    "StrictModes no",
    "PermitRootLogin yes",
    "PasswordAuthentication no",
    "UsePAM no",
  ];
  await writeFile(at("sshd_config"), `${server.join("\n")}\n`);
  const client = [
    "Host box",
    "  HostName 127.0.0.1",
    `  Port ${port}`,
    `  User ${userInfo().username}`,
    `  IdentityFile ${at("user")}`,
    "  IdentitiesOnly yes",
    `  UserKnownHostsFile ${at("known")}`,
    "  StrictHostKeyChecking accept-new",
  ];
  await writeFile(at("ssh_config"), `${client.join("\n")}\n`);
  // Where root's sshd locks its helpers in.
  if (process.getuid?.() === 0) await mkdir("/run/sshd", { recursive: true, mode: 0o755 });
  const sshd = spawn("/usr/sbin/sshd", ["-D", "-e", "-f", at("sshd_config")], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  sshd.stderr.on("data", (chunk) => (said += chunk));
  const ended = once(sshd, "close");
  onTestFinished(async () => {
    sshd.kill("SIGTERM");
    await ended;
  });
  await expect.poll(() => isListening(port), { ...PATIENCE, message: said }).toBe(true);
  return {
    port,
    /** For the person's ssh: the host is called "box" there. */
    options: ["-F", at("ssh_config")],
    /** The processes that serve one connection each, as when a network drops it. */
    async cut(): Promise<void> {
      const { stdout } = spawnSync("ps", ["-o", "pid=", "--ppid", String(sshd.pid)], {
        encoding: "utf8",
      });
      for (const pid of stdout.trim().split(/\s+/).map(Number)) process.kill(pid, "SIGKILL");
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
}
