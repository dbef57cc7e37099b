import { execFileSync } from "node:child_process";
import {
  chmod,
  lstat,
  mkdir,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { InMemoryEditor } from "@lockstep/editor";
import { fileUri } from "@lockstep/protocol";
import { describe, expect, it } from "vitest";
import { lockFolders } from "../src/node/lock-file.js";
import { Scene } from "./scene.js";

const mode = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

describe("the lock file", () => {
  it("holds what agents look for, and only its owner can read it", async () => {
    await using scene = await Scene.open();
    const server = await scene.serve({ ideName: "My Editor" });
    const [path = ""] = server.lockFiles;
    expect(path).toBe(join(scene.home, ".claude", "ide", `${server.port}.lock`));
    const text = await readFile(path, "utf8");
    expect(Object.keys(JSON.parse(text))).toEqual([
      "pid",
      "workspaceFolders",
      "ideName",
      "transport",
      "runningInWindows",
      "authToken",
    ]);
    expect(JSON.parse(text)).toMatchObject({
      pid: process.pid,
      workspaceFolders: [scene.folder],
      ideName: "My Editor",
      transport: "ws",
      runningInWindows: false,
      authToken: expect.stringMatching(
        /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      ),
    });
    expect(await mode(path)).toBe("600");
    expect(await mode(join(scene.home, ".claude", "ide"))).toBe("700");
    expect(await readdir(join(scene.home, ".claude", "ide"))).toEqual([`${server.port}.lock`]);
  });

  it("names folders by their real paths, because agents compare with those", async () => {
    await using scene = await Scene.open();
    await symlink(scene.folder, join(scene.home, "link"));
    const editor = new InMemoryEditor({ folders: [join(scene.home, "link")] });
    const server = await scene.serve({}, editor);
    const lock = JSON.parse(await readFile(server.lockFiles[0] ?? "", "utf8"));
    expect(lock.workspaceFolders).toEqual([scene.folder]);
  });

  it("follows the editor's folders, under the same port and token", async () => {
    await using scene = await Scene.open();
    const server = await scene.serve();
    const [path = ""] = server.lockFiles;
    const before = JSON.parse(await readFile(path, "utf8"));
    const more = join(scene.home, "more");
    await mkdir(more);
    scene.editor.folders = [...scene.editor.folders, fileUri(more)];
    await expect
      .poll(async () => JSON.parse(await readFile(path, "utf8")))
      .toEqual({ ...before, workspaceFolders: [scene.folder, more] });
  });

  it("is removed when the server stops, unless it is somebody else's by then", async () => {
    await using scene = await Scene.open();
    const server = await scene.serve();
    await server.stop();
    expect(await readdir(join(scene.home, ".claude", "ide"))).toEqual([]);
    const second = await scene.serve();
    const [path = ""] = second.lockFiles;
    await writeFile(path, '{"authToken":"of another"}');
    await second.stop();
    expect(await readFile(path, "utf8")).toBe('{"authToken":"of another"}');
  });

  it("closes a folder that was open to others", async () => {
    await using scene = await Scene.open();
    const folder = join(scene.home, ".claude", "ide");
    await mkdir(folder, { recursive: true });
    await chmod(folder, 0o755);
    await scene.serve();
    expect(await mode(folder)).toBe("700");
  });
});

describe("a place that cannot be trusted is refused, and nothing is changed there", () => {
  it("a link instead of the folder", async () => {
    await using scene = await Scene.open();
    const elsewhere = join(scene.home, "elsewhere");
    await mkdir(elsewhere);
    await mkdir(join(scene.home, ".claude"));
    await symlink(elsewhere, join(scene.home, ".claude", "ide"));
    await expect(scene.serve()).rejects.toMatchObject({ code: "folder-not-private" });
    expect(await readdir(elsewhere)).toEqual([]);
  });

  it("a file instead of the folder", async () => {
    await using scene = await Scene.open();
    await writeFile(join(scene.home, ".claude"), "");
    await expect(scene.serve()).rejects.toMatchObject({
      code: "folder-unusable",
      message: expect.stringContaining("--config-dir"),
    });
  });

  it("a link, folder or pipe in the place of the lock file", async () => {
    await using scene = await Scene.open();
    // The lease makes the next server use the same port, so the place of its lock file is known.
    const first = await scene.serve();
    const [path = ""] = first.lockFiles;
    await first.stop();
    const target = join(scene.home, "target");
    const plants: Record<string, () => unknown> = {
      link: () => symlink(target, path),
      folder: () => mkdir(path),
      pipe: () => execFileSync("mkfifo", [path]),
    };
    for (const [name, plant] of Object.entries(plants)) {
      await plant();
      await expect(scene.serve(), name).rejects.toMatchObject({ code: "path-occupied" });
      expect((await lstat(path)).isFile(), name).toBe(false);
      await expect(stat(target)).rejects.toThrow();
      await rm(path, { recursive: true });
    }
    expect((await scene.serve()).port).toBe(first.port);
  });
});

describe("the folders that lock files go into", () => {
  it("are the one that was chosen, by option or by variable", async () => {
    await using scene = await Scene.open();
    const chosen = join(scene.home, "chosen");
    const env = { CLAUDE_CONFIG_DIR: join(scene.home, "variable") };
    expect(await lockFolders(chosen, env)).toEqual([join(chosen, "ide")]);
    expect(await lockFolders(undefined, env)).toEqual([join(scene.home, "variable", "ide")]);
  });
});
