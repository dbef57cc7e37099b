import { execFileSync } from "node:child_process";
import { chmod, mkdir, rm, symlink, utimes } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { Scene } from "./scene.js";

/** A project as a stranger packed it: with git's own folder, and what is set in there. */
async function strangersProject(): Promise<{ scene: Scene; trap: string; sprung: () => boolean }> {
  const scene = await Scene.open({ files: { "a.txt": "one\n" }, git: true });
  scene.commitAll();
  const proof = join(scene.root, "sprung");
  const sprung = () => execFileSync("ls", [scene.root], { encoding: "utf8" }).includes("sprung");
  return { scene, trap: `touch '${proof}'; cat`, sprung };
}

/** So that git has to look into the file again. */
const touch = (path: string) => utimes(path, new Date(0), new Date(0));

describe("a project whose git settings name programs: none is run", () => {
  it("to filter what is in a file, whether git must or may", async () => {
    const { scene, trap, sprung } = await strangersProject();
    await scene.write(".gitattributes", "* filter=evil\n");
    scene.git("config", "filter.evil.clean", trap);
    scene.git("config", "filter.evil.required", "true");
    await scene.write("a.txt", "two\n");
    await touch(join(scene.folder, "a.txt"));
    await scene.start();
    expect(await scene.list()).toEqual([".gitattributes untracked", "a.txt modified"]);
    expect(sprung()).toBe(false);
  });

  it("by a filter that stays running, or one in a file that its settings include", async () => {
    const { scene, trap, sprung } = await strangersProject();
    await scene.write(".gitattributes", "* filter=evil\n");
    await scene.write("more", `[filter "evil"]\n\tprocess = "${trap}"\n\tclean = "${trap}"\n`);
    scene.git("config", "include.path", "../more");
    await touch(join(scene.folder, "a.txt"));
    await scene.start();
    expect(await scene.list()).toContain("more untracked");
    expect(sprung()).toBe(false);
  });

  it("under a name that a command line cannot say: git is not asked at all", async () => {
    const { scene, trap, sprung } = await strangersProject();
    await scene.write(".gitattributes", "* filter=x=y\n");
    await scene.write("more", `[filter "x=y"]\n\tclean = "${trap}"\n`);
    scene.git("config", "include.path", "../more");
    await touch(join(scene.folder, "a.txt"));
    await scene.start();
    expect(await scene.list()).toEqual([".gitattributes", "a.txt", "more"]);
    expect(sprung()).toBe(false);
  });

  it("in a repository inside of it", async () => {
    const { scene, trap, sprung } = await strangersProject();
    await scene.write("inner/b.txt", "one\n");
    const inner = (...args: string[]) => scene.git("-C", "inner", ...args);
    inner("init", "-q");
    inner("-c", "user.name=Ada", "-c", "user.email=ada@example.com", "add", "b.txt");
    inner("-c", "user.name=Ada", "-c", "user.email=ada@example.com", "commit", "-q", "-m", "x");
    scene.commitAll();
    inner("config", "filter.evil.clean", trap);
    inner("config", "core.fsmonitor", trap);
    await scene.write("inner/.gitattributes", "* filter=evil\n");
    await touch(join(scene.folder, "inner/b.txt"));
    await scene.start();
    expect(await scene.list()).toEqual(["inner/", "a.txt"]);
    expect(sprung()).toBe(false);
  });

  it("to watch its files, or when the index changes", async () => {
    const { scene, trap, sprung } = await strangersProject();
    await mkdir(join(scene.folder, "hooks"));
    await scene.write("hooks/post-index-change", `#!/bin/sh\n${trap}\n`);
    await chmod(join(scene.folder, "hooks/post-index-change"), 0o755);
    scene.git("config", "core.hooksPath", "hooks");
    scene.git("config", "core.fsmonitor", trap);
    await touch(join(scene.folder, "a.txt"));
    await scene.start();
    expect(await scene.list()).toEqual(["hooks/ untracked", "a.txt"]);
    expect(sprung()).toBe(false);
  });

  it("to fetch what a partial clone lacks; what is there is still told", async () => {
    const { scene, trap, sprung } = await strangersProject();
    const lines = Array.from({ length: 200 }, (_, line) => `line ${line}\n`).join("");
    await scene.write("a.txt", lines);
    scene.commitAll();
    const blob = scene.git("rev-parse", "HEAD:a.txt").trim();
    scene.git("rm", "-q", "--cached", "a.txt");
    await rm(join(scene.folder, "a.txt"));
    await scene.write("b.txt", `${lines}more\n`);
    scene.git("add", "b.txt");
    await rm(join(scene.folder, ".git/objects", blob.slice(0, 2), blob.slice(2)));
    scene.git("config", "core.repositoryformatversion", "1");
    scene.git("config", "extensions.partialClone", "origin");
    scene.git("config", "remote.origin.promisor", "true");
    scene.git("config", "remote.origin.url", scene.folder);
    scene.git("config", "remote.origin.uploadpack", trap);
    await scene.start();
    expect(await scene.list()).toEqual(["b.txt added"]);
    expect(sprung()).toBe(false);
  });

  it("called git and lying in the folder, wherever PATH leads", async () => {
    const { scene, trap, sprung } = await strangersProject();
    await scene.write("git", `#!/bin/sh\n${trap}\n`);
    await chmod(join(scene.folder, "git"), 0o755);
    // As npx has it: the project's own programs before all others, and a link to them elsewhere.
    const link = join(scene.root, "bin");
    await symlink(scene.folder, link);
    vi.stubEnv("PATH", [".", "", scene.folder, link, process.env.PATH].join(delimiter));
    onTestFinished(() => void vi.unstubAllEnvs());
    await scene.start();
    expect(await scene.list()).toEqual(["a.txt", "git untracked"]);
    expect(sprung()).toBe(false);
  });
});

describe("a filter of the person's own", () => {
  it("goes on working, also where the project would put its own in its place", async () => {
    const { scene, trap, sprung } = await strangersProject();
    const settings = join(scene.root, "gitconfig");
    vi.stubEnv("GIT_CONFIG_GLOBAL", settings);
    onTestFinished(() => void vi.unstubAllEnvs());
    scene.git("config", "--global", "filter.shout.clean", "tr a-z A-Z");
    await scene.write(".gitattributes", "b.txt filter=shout\n");
    await scene.write("b.txt", "one\n");
    scene.commitAll();
    scene.git("config", "filter.shout.clean", trap);
    await touch(join(scene.folder, "b.txt"));
    await scene.start();
    expect(await scene.list()).toEqual([".gitattributes", "a.txt", "b.txt"]);
    expect(sprung()).toBe(false);
  });
});

describe("a pipe in the place of a file that git and ripgrep read", () => {
  it("keeps nobody from listing a folder, nor the editor from stopping", async () => {
    const { scene } = await strangersProject();
    execFileSync("mkfifo", [join(scene.folder, ".gitignore")]);
    const started = scene.start();
    await scene.until(() => scene.files !== null);
    expect(await scene.list()).toEqual([".gitignore other", "a.txt"]);
    await scene.close();
    await started;
  });
});
