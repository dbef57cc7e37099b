import { spawn } from "node:child_process";
import { constants } from "node:os";
import { printable } from "@lockstep/protocol";
import type { Guard } from "./guard.js";

/** What shells answer for a command that is not there, and for one that cannot be run. */
const NOT_FOUND = 127;
const NOT_RUNNABLE = 126;

/** Signals that somebody sends to us and means for the command. */
const PASSED_ON = ["SIGTERM", "SIGHUP", "SIGUSR2"] as const;
/** Those that a terminal sends to all of us when a key is pressed. */
const KEYS = ["SIGINT", "SIGQUIT"] as const;

/** Runs a command in this terminal to its end. Answers its exit code, 128 + n after signal n. */
export async function runCommand(
  [program = "", ...args]: readonly string[],
  env: NodeJS.ProcessEnv,
  guard: Guard,
): Promise<number> {
  const passOn = (signal: NodeJS.Signals) => void child.kill(signal);
  // The terminal has told the command itself; without one, nobody but us has.
  const onKey = process.stdin.isTTY ? () => {} : passOn;
  // From before the command is there, which may be told something at once, and for good: after its
  // end nothing may cut short what is put in order.
  for (const signal of PASSED_ON) process.on(signal, passOn);
  for (const signal of KEYS) process.on(signal, onKey);
  const child = spawn(program, args, { env, stdio: "inherit" });
  guard.watch(child.pid, "HUP");
  return new Promise((resolve) => {
    child.once("error", (error: NodeJS.ErrnoException) => {
      console.error(`lockstep: ${notStarted(program, error)}`);
      resolve(error.code === "ENOENT" ? NOT_FOUND : NOT_RUNNABLE);
    });
    child.once("exit", (code, signal) =>
      resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)),
    );
  });
}

function notStarted(program: string, { code, message }: NodeJS.ErrnoException): string {
  const name = printable(program);
  if (code === "ENOENT")
    return `There is no program ${name} on your PATH. Install it, or name another: lockstep run -- command`;
  return `${name} cannot be started: ${printable(message)}`;
}
