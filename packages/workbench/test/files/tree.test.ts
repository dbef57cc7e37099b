import { writeFileSync } from "node:fs";
import { access, mkdir, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { fileUri } from "@lockstep/protocol";
import { describe, expect, it } from "vitest";
import { whyUnwatched } from "../../src/files/disk-watch.js";
import { naturalKey } from "../../src/files/listing.js";
import { Scene } from "./scene.js";

describe("a folder's list", () => {
  it("has folders first, then files, as people order names", async () => {
    const names = ["b.txt", "A.txt", "file10", "file9", "file09", "ä.txt", "z/x", "Alpha/x"];
    const scene = await Scene.open({ files: Object.fromEntries(names.map((name) => [name, ""])) });
    await scene.start();
    expect(await scene.list()).toEqual([
      "Alpha/",
      "z/",
      "A.txt",
      "ä.txt",
      "b.txt",
      "file09",
      "file9",
      "file10",
    ]);
  });

  it("has the strangest names, and no folder of git's", async () => {
    const names = ["new\nline", '"quoted"', "-rf", "--pre=x", "‮txt.exe", " space", "ü", "a\\b"];
    const files = Object.fromEntries(names.map((name) => [name, ""]));
    const scene = await Scene.open({ files, git: true });
    await scene.start();
    const listed = await scene.list();
    expect([...listed].sort()).toEqual(names.map((name) => `${name} untracked`).sort());
  });

  it("marks links, and shows them as what they lead to", async () => {
    const scene = await Scene.open({ files: { "real/a": "", b: "" } });
    await symlink("real", join(scene.folder, "linked"));
    await symlink("b", join(scene.folder, "c"));
    await symlink("nowhere", join(scene.folder, "d"));
    await scene.start();
    expect(await scene.list()).toEqual(["linked/ link", "real/", "b", "c link", "d other link"]);
    expect(await scene.list("linked")).toEqual(["a"]);
  });

  it("says why a folder cannot be read", async () => {
    const scene = await Scene.open({ files: { a: "" } });
    await scene.start();
    await expect(scene.list("gone")).rejects.toThrow(
      "gone cannot be read: it is not there any more",
    );
    await expect(scene.list("a")).rejects.toThrow("The folder a cannot be read");
  });

  it("is refused outside of the workspace, also by a link or a path with dots", async () => {
    const scene = await Scene.open();
    await mkdir(join(scene.root, "secret"));
    await symlink(join(scene.root, "secret"), join(scene.folder, "out"));
    await scene.start();
    await expect(scene.list("out")).rejects.toThrow("outside of the workspace");
    await expect(scene.list("../secret")).rejects.toThrow("outside of the workspace");
    const dots = `${scene.uri("a")}/../../secret` as ReturnType<Scene["uri"]>;
    await expect(scene.files.handlers["files.list"]({ uri: dots }, scene.window)).rejects.toThrow(
      "not a plain path",
    );
  });

  it("holds a hundred thousand files", async () => {
    const scene = await Scene.open();
    const many = 100_000;
    const folder = join(scene.folder, "many");
    await mkdir(folder);
    for (let index = 0; index < many; index++) writeFileSync(join(folder, `file${index}.ts`), "");
    await scene.start();
    const listed = await scene.list("many");
    expect(listed).toHaveLength(many);
    expect(listed.slice(9, 12)).toEqual(["file9.ts", "file10.ts", "file11.ts"]);
    expect(await scene.find("file99999")).toEqual(["many/file99999.ts"]);
  }, 120_000);
});

describe("the order of names", () => {
  it("tells every two names apart", () => {
    expect(naturalKey("a01")).not.toBe(naturalKey("a1"));
    expect(naturalKey("A") < naturalKey("b")).toBe(true);
    expect(naturalKey("a2b10") < naturalKey("a2b9")).toBe(false);
  });
});

describe("git's state", () => {
  it("is on files and, the strongest of them, on the folders above", async () => {
    const scene = await Scene.open({
      git: true,
      files: { "src/a.ts": "a", "src/deep/b.ts": "b", "c.ts": "c", ".gitignore": "dist\n*.log\n" },
    });
    scene.commitAll();
    await scene.write("src/deep/b.ts", "changed");
    await scene.write("src/new.ts");
    await scene.write("staged.ts");
    scene.git("add", "staged.ts");
    await scene.write("dist/out.js");
    await scene.write("x.log");
    await scene.start();
    expect(await scene.list()).toEqual([
      "dist/ ignored",
      "src/ modified",
      ".gitignore",
      "c.ts",
      "staged.ts added",
      "x.log ignored",
    ]);
    expect(await scene.list("src")).toEqual(["deep/ modified", "a.ts", "new.ts untracked"]);
    expect(await scene.list("dist")).toEqual(["out.js ignored"]);
    expect(scene.store.state.workspace.branch).toBe("main");
  });

  it("shows renames, deletions and conflicts", async () => {
    const scene = await Scene.open({
      git: true,
      files: { "a dir/a b": "1\n2\n3\n", c: "c", d: "d" },
    });
    scene.commitAll();
    scene.git("checkout", "-q", "-b", "other");
    await scene.write("c", "theirs");
    scene.commitAll();
    scene.git("checkout", "-q", "main");
    await scene.write("c", "ours");
    scene.commitAll();
    expect(() => scene.git("merge", "-q", "other")).toThrow();
    scene.git("mv", "a dir/a b", "a dir/e f");
    await rm(join(scene.folder, "d"));
    await scene.start();
    expect(await scene.list()).toEqual(["a dir/ renamed", "c conflicted"]);
    expect(await scene.list("a dir")).toEqual(["e f renamed"]);
  });

  it("follows commits and branches", async () => {
    const scene = await Scene.open({ git: true, files: { a: "" } });
    await scene.start();
    expect(await scene.list()).toEqual(["a untracked"]);
    scene.commitAll();
    await scene.until(async () => (await scene.list())[0] === "a");
    scene.git("checkout", "-q", "-b", "topic");
    await scene.until(() => scene.store.state.workspace.branch === "topic");
  });

  it("begins when the folder gets a repository, and is nothing before", async () => {
    const scene = await Scene.open({ files: { a: "" } });
    await scene.start();
    expect(await scene.list()).toEqual(["a"]);
    expect(scene.store.state.workspace.branch).toBeNull();
    scene.git("init", "-q", "-b", "trunk");
    await scene.until(async () => (await scene.list())[0] === "a untracked");
    await scene.until(() => scene.store.state.workspace.branch === "trunk");
  });

  it("is right in a folder inside of the repository", async () => {
    const scene = await Scene.open({ folders: ["repo/sub"], files: { "a b": "" } });
    const run = (...args: string[]) => scene.git("-C", join(scene.root, "repo"), ...args);
    run("init", "-q", "-b", "main");
    await scene.start();
    expect(await scene.list()).toEqual(["a b untracked"]);
    run("add", "-A");
    await scene.until(async () => (await scene.list())[0] === "a b added");
  });

  it("starts no program that the repository names", async () => {
    const scene = await Scene.open({ git: true, files: { a: "" } });
    const trap = join(scene.root, "trap");
    scene.git("config", "core.fsmonitor", `touch ${trap}`);
    await scene.start();
    expect(await scene.list()).toEqual(["a untracked"]);
    await expect(access(trap)).rejects.toThrow();
  });
});

describe("watching", () => {
  it("tells which folders have another list, and which paths changed", async () => {
    const scene = await Scene.open({ files: { "src/a": "" } });
    const files = await scene.start();
    const seen: string[] = [];
    files.onDisk((paths) => seen.push(...paths));
    await scene.write("src/b");
    const changed = () =>
      scene.heard.flatMap((heard) => (heard.name === "files.changed" ? heard.event.folders : []));
    await scene.until(() => changed().includes(scene.uri("src")));
    expect(seen).toContain(join(scene.folder, "src/b"));
    await scene.until(() => scene.noticed.includes(join(scene.folder, "src/b")));
    scene.heard.length = 0;
    await rm(join(scene.folder, "src"), { recursive: true });
    await scene.until(() => changed().includes(scene.uri("").replace(/\/$/, "") as never));
  });

  it("looks again when the person comes back, where it cannot watch", async () => {
    const scene = await Scene.open();
    await rm(scene.folder, { recursive: true });
    await scene.start();
    const [notice] = Object.values(scene.store.state.notices);
    expect(notice!.text).toContain("Changes in project are not seen at once");
    await scene.write("fresh.ts");
    scene.heard.length = 0;
    await scene.files.handlers["files.lookAgain"]({}, scene.window);
    expect(scene.heard[0]).toEqual({
      name: "files.changed",
      event: { folders: [fileUri(scene.folder)] },
    });
    expect(await scene.find("fresh")).toEqual(["fresh.ts"]);
  });

  it("says what to do when the system watches no more", () => {
    const full = new Error("inotify_add_watch on '/x' failed: No space left on device");
    expect(whyUnwatched("/home/ada/x", full)).toContain("sudo sysctl fs.inotify.max_user_watches");
    const busy = new Error("Unable to initialize inotify: Too many open files");
    expect(whyUnwatched("/home/ada/x", busy)).toContain("fs.inotify.max_user_instances");
  });
});
