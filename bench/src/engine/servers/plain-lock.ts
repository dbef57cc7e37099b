import { randomUUID } from "node:crypto";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import type { Place } from "../channel.js";

export interface PlainLock {
  readonly path: string;
  readonly remove: () => void;
}

/** The lock file as a hand-written server writes it: the same content, no care. */
export function writePlainLock({ configDir, workspace }: Place, port: number): PlainLock {
  const path = `${configDir}/ide/${port}.lock`;
  mkdirSync(`${configDir}/ide`, { recursive: true });
  const lock = {
    pid: process.pid,
    workspaceFolders: [workspace],
    ideName: "Lockstep",
    transport: "ws",
    runningInWindows: false,
    authToken: randomUUID(),
  };
  writeFileSync(path, JSON.stringify(lock), { mode: 0o600 });
  return { path, remove: () => rmSync(path) };
}
