import { readdirSync } from "node:fs";
import { createInterface } from "node:readline";
import { inspect } from "node:util";
import { InMemoryEditor, withAbilities } from "@lockstep/editor";
import { serve } from "../../src/index.js";
import type { Surroundings } from "./server-process.js";

/** Serves as it is told by its argument, and says in one line of JSON how that went. */
const { folder, configDir, stateDir, cwd, uid, fault } = JSON.parse(
  process.argv[2] ?? "",
) as Surroundings;

if (cwd !== undefined) process.chdir(cwd);
if (uid !== undefined && process.getuid?.() === 0) {
  process.setgroups?.([]);
  process.setgid?.(uid);
  process.setuid?.(uid);
}

const say = (outcome: object) => console.log(JSON.stringify(outcome));
const memory = new InMemoryEditor({ folders: [folder] });
const editor = withAbilities(memory, (own) =>
  fault === undefined ? own : { ...own, selection: () => Promise.reject(new Error(fault)) },
);

try {
  const server = await serve(editor, { configDir, stateDir });
  createInterface({ input: process.stdin }).on("line", (line) => {
    if (line === "crash") throw new Error(`crashed as it was told to, with ${inspect(server)}`);
  });
  say({ port: server.port, lockFiles: server.lockFiles });
} catch (error) {
  const { code, message } = error as { code: string; message: string };
  // Nothing is closed by force: a port or a timer that was left behind keeps this process alive.
  const left = configDir ? readdirSync(configDir, { recursive: true }) : [];
  say({ code, message, left });
}
