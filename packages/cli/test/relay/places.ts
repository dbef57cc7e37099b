import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, readlink } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { connect, findIdes, type IdeConnection, type ReconnectOptions } from "@lockstep/client";
import { expect, onTestFinished } from "vitest";
import { Scene } from "../../../server/test/scene.js";
import { LOCKSTEP, run, start } from "../command.js";

export interface Ready {
  readonly port: number;
  readonly lockFile: string;
  readonly workspaceFolders: readonly string[];
}

/** An editor on a project, and a place for agents that calls the project otherwise. */
export async function places() {
  const scene = await Scene.open();
  onTestFinished(() => scene[Symbol.asyncDispose]());
  const far = { home: join(scene.home, "far"), folder: join(scene.home, "far", "work") };
  await mkdir(far.folder, { recursive: true });
  const uri = await scene.file("a.ts", "const a = 1;\n");
  scene.editor.open(uri, "const a = 1;\n");
  const server = await scene.serve();
  const { authToken } = JSON.parse(await readFile(server.lockFiles[0] ?? "", "utf8"));
  const lockstep = ["env", `HOME=${far.home}`, process.execPath, LOCKSTEP];
  return { scene, uri, server, far, authToken, lockstep, map: `${scene.folder}=${far.folder}` };
}

export type Places = Awaited<ReturnType<typeof places>>;

/** A relay that runs until the end of the test, and what it said when it was ready. */
export async function relaying({ scene }: Places, args: readonly string[]) {
  const child = start(scene.home, ["relay", ...args, "--json"], scene.folder);
  const told = await readyOf(child);
  return { child, ...told };
}

export async function readyOf(child: ChildProcess, end: NodeJS.Signals = "SIGTERM") {
  let said = "";
  child.stderr?.on("data", (chunk) => (said += chunk));
  const ended = once(child, "close");
  onTestFinished(async () => {
    child.kill(end);
    await ended;
  });
  const line = once(createInterface({ input: child.stdout as never }), "line");
  const early = ended.then(([code]) => {
    throw new Error(`The relay ended with ${code}: ${said}`);
  });
  early.catch(() => {});
  const [first] = await Promise.race([line, early]);
  return { ready: JSON.parse(String(first)) as Ready, said: () => said, ended };
}

/** By `relay exec`, as by docker exec. */
export function relayed(between: Places, ...more: readonly string[]) {
  const { map, lockstep } = between;
  // The options of our own come first: the rest is another program's.
  const child = start(
    between.scene.home,
    ["relay", "exec", "--map", map, "--json", ...more, "--", ...lockstep],
    between.scene.folder,
  );
  return readyOf(child).then((told) => ({ child, ...told }));
}

/** An agent at the other end, which finds the editor as any agent does. */
export async function agentAt(
  { far }: Places,
  { port }: Ready,
  reconnect?: ReconnectOptions,
): Promise<IdeConnection> {
  const find = { configDir: join(far.home, ".claude"), env: {} };
  const ide = (await findIdes(find)).find((found) => found.port === port);
  if (!ide) throw new Error(`No lock file for port ${port}`);
  const agent = await connect(ide, { reconnect: reconnect && { ...reconnect, find } });
  onTestFinished(() => agent.close());
  return agent;
}

export const locks = (home: string) => readdir(join(home, ".claude", "ide")).catch(() => []);

/** A proposal from the other end is about the file here, and its answer gets there. */
export async function expectProposal(
  { scene, uri, far }: Places,
  propose: (path: string) => Promise<unknown>,
): Promise<unknown> {
  const answer = propose(join(far.folder, "a.ts"));
  const proposal = await scene.proposal();
  expect(proposal.uri).toBe(uri);
  scene.editor.draft(proposal.id, "const a = 3;\n");
  scene.editor.accept(proposal.id);
  return answer;
}

export const openDiff = (agent: IdeConnection) => (path: string) =>
  agent.tools.openDiff({
    old_file_path: path,
    new_file_contents: "const a = 2;\n",
    tab_name: "t",
  });

/** Each of these command lines of a relay ends so: its arguments, a part of the sentence, the exit code. */
export async function expectRefused(
  { scene }: Places,
  table: readonly (readonly [readonly string[], string, number])[],
): Promise<void> {
  for (const [args, sentence, code] of table) {
    const ran = await run(scene.home, ["relay", ...args], scene.folder);
    expect(ran.stderr).toContain(sentence);
    expect(ran).toMatchObject({ code, stdout: "" });
  }
}

/** Where a process and those below it take connections: address and port, in the kernel's own words. */
export async function listening(pid: number): Promise<readonly string[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => "");
  const below = await Promise.all(
    children.trim().split(" ").filter(Boolean).map(Number).map(listening),
  );
  const names = await readdir(`/proc/${pid}/fd`).catch(() => []);
  const links = await Promise.all(
    names.map((name) => readlink(`/proc/${pid}/fd/${name}`).catch(() => "")),
  );
  const tables = await Promise.all(
    ["tcp", "tcp6", "udp", "udp6"].map((name) => readFile(`/proc/${pid}/net/${name}`, "utf8")),
  );
  const own = tables.flatMap((table) =>
    table
      .split("\n")
      .map((line) => line.trim().split(/\s+/))
      .filter(
        ([, , , state, , , , , , inode]) => state !== "01" && links.includes(`socket:[${inode}]`),
      )
      .map(([, local = ""]) => local),
  );
  return [...own, ...below.flat()];
}

export const loopback = (port: number) =>
  `0100007F:${port.toString(16).toUpperCase().padStart(4, "0")}`;
