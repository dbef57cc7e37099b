// Runs a command in a network namespace that has only loopback:
//   node scripts/loopback.mjs -- command argument…
// Agents under test try to reach hosts outside at start-up; in there they cannot.
import { spawn, spawnSync } from "node:child_process";
import { realpathSync } from "node:fs";
import { constants } from "node:os";
import { fileURLToPath } from "node:url";

// Root enters a network namespace directly; anyone else needs a user namespace of his own for it.
const unshare = process.getuid?.() === 0 ? ["-n"] : ["-r", "-n"];
const enter = ["sh", "-c", 'ip link set lo up && exec "$@"', "sh"];
// `ip` lives in an sbin folder, which not every user's PATH names.
const env = { ...process.env, PATH: `${process.env.PATH ?? ""}:/usr/sbin:/sbin` };

/**
 * Why no command can be run in such a namespace; undefined when it can. `kernel` tells a refusal,
 * which nothing on this machine will change, from a program that is not installed.
 * @returns {{ kernel: boolean, reason: string } | undefined}
 */
export function whyNotLoopback() {
  if (process.platform !== "linux")
    return { kernel: true, reason: "network namespaces are a feature of Linux" };
  for (const program of ["unshare", "ip"])
    if (spawnSync(program, ["--help"], { env }).error)
      return { kernel: false, reason: `${program} is not installed, run npm run setup:system` };
  const tried = spawnSync("unshare", [...unshare, ...enter, "true"], { env, encoding: "utf8" });
  if (tried.status === 0) return undefined;
  return { kernel: true, reason: `the kernel forbids network namespaces: ${tried.stderr.trim()}` };
}

/**
 * Runs the command in there, with our streams. Signals are passed on to it.
 * @param {readonly string[]} command
 * @returns {Promise<number>} its exit code, 128 + n when signal n ended it
 */
export function runInLoopback(command) {
  const child = spawn("unshare", [...unshare, ...enter, ...command], { stdio: "inherit", env });
  // Every program in the chain replaces the one before, so the child is the command itself.
  const passOn = (signal) => child.kill(signal);
  const signals = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"];
  for (const signal of signals) process.on(signal, passOn);
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (code, signal) => {
      for (const name of signals) process.off(name, passOn);
      resolve(code ?? 128 + constants.signals[signal]);
    });
  });
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const separator = process.argv.indexOf("--");
  const command = separator < 0 ? [] : process.argv.slice(separator + 1);
  if (command.length === 0) {
    console.error("usage: node scripts/loopback.mjs -- command argument…");
    process.exitCode = 2;
  } else {
    process.exitCode = await runInLoopback(command);
  }
}
