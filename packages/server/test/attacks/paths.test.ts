import { execFileSync } from "node:child_process";
import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Scene } from "../scene.js";

/** A workspace with a secret next to it, and ways that could lead there. */
async function hostileScene() {
  const scene = await Scene.open();
  const outside = join(scene.home, "outside");
  await mkdir(outside);
  await writeFile(join(outside, "secret.txt"), "secret");
  await scene.file("inside.txt", "inside");
  await symlink(join(outside, "secret.txt"), scene.path("link.txt"));
  await symlink(outside, scene.path("linked"));
  await symlink(scene.path("loop-b"), scene.path("loop-a"));
  await symlink(scene.path("loop-a"), scene.path("loop-b"));
  execFileSync("mkfifo", [scene.path("pipe")]);
  const beside = `${scene.folder}-beside`;
  await mkdir(beside);
  await writeFile(join(beside, "secret.txt"), "secret");
  return { scene, outside, beside };
}

const hostile = ({ scene, outside, beside }: Awaited<ReturnType<typeof hostileScene>>) => [
  "../outside/secret.txt",
  join(outside, "secret.txt"),
  join(beside, "secret.txt"),
  `${scene.folder}/../outside/secret.txt`,
  `${scene.folder.toUpperCase()}/../outside/secret.txt`,
  "link.txt",
  "linked/secret.txt",
  "loop-a",
  "pipe",
  "/dev/zero",
  "/dev/stdin",
  "/proc/self/environ",
  "~/outside/secret.txt",
  "..%2foutside%2fsecret.txt",
  "%2e%2e/outside/secret.txt",
  "\\\\server\\share\\secret.txt",
  "//server/share/secret.txt",
  "..\\outside\\secret.txt",
  "C:\\Windows\\secret.txt",
  `file://server${outside}/secret.txt`,
  `file://${outside}/secret.txt`,
  "inside.txt\u0000.png",
  `${"x".repeat(300)}\u001b[2J`,
  "x/".repeat(5_000),
];

describe("paths that lead out of the workspace, or to what is no file", () => {
  it("are not opened, read, formatted or written where the person does not say yes", async () => {
    const place = await hostileScene();
    await using scene = place.scene;
    const agent = await scene.agent(await scene.serve({ vault: { allowWrites: true } }));
    for (const path of hostile(place)) {
      for (const [tool, args] of [
        ["openFile", { filePath: path, startText: "secret" }],
        ["openFile", { filePath: path, makeFrontmost: false }],
        ["reformat_file", { file_path: path }],
      ] as const) {
        expect(await agent.call(tool, args), `${tool} ${path}`).toMatchObject({ isError: true });
      }
      expect(await agent.ask("open_files", { file_paths: [path] })).toEqual({ opened_files: [] });
      expect(await agent.ask("saveDocument", { filePath: path })).toMatchObject({ success: false });
      expect(await agent.request("readFile", { path }), path).toHaveProperty("error");
    }
    expect(await agent.ask("getOpenEditors")).toEqual({ tabs: [] });
    expect(scene.problems).toEqual([]);
  });

  it("are never written, and nothing outside is", async () => {
    const place = await hostileScene();
    await using scene = place.scene;
    const agent = await scene.agent(await scene.serve({ vault: { allowWrites: true } }));
    const before = await readdir(scene.home, { recursive: true });
    const inside = (name: string) => name.startsWith("project/") || name.includes(".lock");
    for (const path of hostile(place)) await agent.request("writeFile", { path, content: "bad" });
    const after = await readdir(scene.home, { recursive: true });
    expect(after.filter((name) => !inside(name))).toEqual(before.filter((name) => !inside(name)));
    for (const folder of [place.outside, place.beside]) {
      expect(await readFile(join(folder, "secret.txt"), "utf8")).toBe("secret");
    }
  });

  it("are shown as a proposal and not written; what is no file is refused at once", async () => {
    const place = await hostileScene();
    await using scene = place.scene;
    const agent = await scene.agent();
    const diff = (path: string) =>
      agent.call("openDiff", { old_file_path: path, new_file_contents: "bad", tab_name: "t" });
    const secret = join(place.outside, "secret.txt");
    const answer = diff(secret);
    scene.editor.accept((await scene.proposal()).id);
    expect((await answer).texts[0]).toBe("FILE_SAVED");
    expect(await readFile(secret, "utf8")).toBe("secret");
    for (const path of ["/dev/zero", scene.path("pipe"), scene.path("loop-a"), "/a\u0000b"]) {
      expect(await diff(path), path).toMatchObject({ isError: true });
    }
    expect(scene.editor.proposals).toEqual([]);
    expect(scene.problems).toEqual([]);
  });
});
