import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { AUTH_HEADER } from "@lockstep/protocol";
import { onTestFinished } from "vitest";
import { WebSocket } from "ws";
import type { Entry } from "../src/tap/recording.js";
import { readyJson } from "./command.js";

/** `lockstep tap --print` before the editor of a folder, and what it has recorded. */
export async function tapped(home: string, folder: string, ...more: readonly string[]) {
  const file = join(home, "recording.jsonl");
  const tap = await readyJson(home, ["tap", "--print", "--out", file, "--quiet", ...more], folder);
  onTestFinished(() => tap[Symbol.asyncDispose]());
  const { port, lockFile } = tap.ready;
  const lock = JSON.parse(await readFile(lockFile, "utf8"));
  const token = String(lock.authToken);
  return {
    tap,
    port,
    lock,
    lockFile,
    file,
    token,
    /** An agent with the tap's token, whose frames can be seen. */
    agent: (protocols: readonly string[] = ["mcp"]) => agentAt(port, token, protocols),
    recorded: () => readFile(file, "utf8"),
    async entries(): Promise<readonly Entry[]> {
      const [, ...lines] = (await readFile(file, "utf8")).trimEnd().split("\n");
      return lines.map((line) => JSON.parse(line));
    },
  };
}

export async function agentAt(port: number, token: string, protocols: readonly string[]) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/`, [...protocols], {
    headers: { [AUTH_HEADER]: token },
    perMessageDeflate: false,
    autoPong: false,
  });
  socket.on("error", () => {});
  onTestFinished(() => socket.terminate());
  await once(socket, "open");
  return socket;
}

/** The next message of a socket, as text. */
export async function heard(socket: WebSocket): Promise<string> {
  const [data] = await once(socket, "message");
  return String(data);
}
