import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, chown, mkdir, mkdtemp, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findIdes } from "../src/index.js";

let home: string;
let folder: string;
let listener: Server;
let port: number;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "lockstep-client-"));
  folder = join(home, "ide");
  await mkdir(folder);
  listener = createServer().listen(0, "127.0.0.1");
  await once(listener, "listening");
  port = (listener.address() as { port: number }).port;
});

afterEach(async () => {
  listener.close();
  await rm(home, { recursive: true });
});

const good = {
  pid: process.pid,
  workspaceFolders: ["/p"],
  ideName: "Editor",
  transport: "ws",
  authToken: "the-secret-token",
};

async function lock(contents: unknown, { mode = 0o600, name = `${port}.lock` } = {}) {
  const path = join(folder, name);
  await writeFile(path, typeof contents === "string" ? contents : JSON.stringify(contents));
  await chmod(path, mode);
  return path;
}

/** Only what this test's folder announces. */
async function found() {
  const ides = await findIdes({ configDir: home, env: { XDG_CONFIG_HOME: join(home, "none") } });
  return ides.filter(({ lockFiles }) => lockFiles.some((path) => path.startsWith(folder)));
}

const problems = async () =>
  (await found()).flatMap((ide) => ide.problems.map(({ code, fatal }) => [code, fatal]));

describe("findIdes", () => {
  it("finds an editor that announces itself well", async () => {
    const path = await lock(good);
    const [ide] = await found();
    expect(ide).toMatchObject({
      port,
      name: "Editor",
      pid: process.pid,
      folders: ["/p"],
      problems: [],
    });
    expect(ide?.lockFiles).toEqual([path]);
    expect(ide?.token()).toBe("the-secret-token");
  });

  it("prints no token, however an editor is printed", async () => {
    await lock(good);
    const [ide] = await found();
    expect(JSON.stringify(ide) + inspect(ide, { depth: 9, showHidden: true })).not.toContain(
      "secret",
    );
  });

  it("says what is wrong with each of the others", async () => {
    await lock({ ...good, pid: 2 ** 22 + 1 });
    expect(await problems()).toEqual([["process-gone", true]]);
    await lock({ ...good, transport: "sse" });
    expect(await problems()).toEqual([["other-transport", true]]);
    await lock(good, { mode: 0o644 });
    expect(await problems()).toEqual([["readable-by-others", false]]);
    await lock(good, { mode: 0o622 });
    expect(await problems()).toEqual([["writable-by-others", true]]);
    for (const text of ["", "{", "null", '{"workspaceFolders":7}', "x".repeat(60_000)]) {
      await lock(text);
      expect(await problems()).toEqual([["not-a-lock-file", true]]);
    }
    listener.close();
    await lock(good);
    expect(await problems()).toEqual([["not-listening", true]]);
  });

  it("reads no link, pipe, folder or huge file", async () => {
    const path = join(folder, `${port}.lock`);
    const target = await lock(good, { name: "target" });
    const plants: (() => unknown)[] = [
      () => symlink(target, path),
      () => execFileSync("mkfifo", [path]),
      () => mkdir(path),
      () => lock(`${" ".repeat(70_000)}${JSON.stringify(good)}`),
    ];
    for (const plant of plants) {
      await plant();
      expect(await problems()).toEqual([["not-an-ordinary-file", true]]);
      await rm(path, { recursive: true });
    }
  });

  it.runIf(process.getuid?.() === 0)("gives no token to another user's lock file", async () => {
    await chown(await lock(good), 12345, 12345);
    expect(await problems()).toEqual([["not-yours", true]]);
  });

  it.runIf(process.platform === "linux")(
    "knows a process that only got an old number",
    async () => {
      await utimes(await lock(good), new Date(0), new Date(0));
      expect(await problems()).toEqual([["process-gone", true]]);
    },
  );

  it.runIf(process.getuid?.() === 0)("gives no token to another user on the port", async () => {
    const listen = `const server = require("net").createServer().listen(0, "127.0.0.1", () =>
      console.log(server.address().port))`;
    const stranger = spawn(process.execPath, ["-e", listen], { uid: 12345, gid: 12345, cwd: "/" });
    const [line] = await once(stranger.stdout, "data");
    await lock(good, { name: `${Number(line)}.lock` });
    expect(await problems()).toEqual([["port-not-yours", true]]);
    stranger.kill();
  });

  it("passes over what is no lock file at all", async () => {
    for (const name of ["notes.txt", "0.lock", "99999.lock", ".1234.lock.tmp"])
      await lock(good, { name });
    expect(await found()).toEqual([]);
  });

  it("takes one server that is announced in two folders for one editor", async () => {
    await lock(good);
    const second = join(home, "second", "ide");
    await mkdir(second, { recursive: true });
    await writeFile(join(second, `${port}.lock`), JSON.stringify(good), { mode: 0o644 });
    const env = { CLAUDE_CONFIG_DIR: join(home, "second"), XDG_CONFIG_HOME: join(home, "none") };
    const ides = await findIdes({ configDir: home, env });
    expect(ides.filter((ide) => ide.port === port)).toHaveLength(1);
    expect(ides.find((ide) => ide.port === port)?.lockFiles).toHaveLength(2);
    expect(ides.find((ide) => ide.port === port)?.problems).toMatchObject([
      { code: "readable-by-others" },
    ]);
  });
});
