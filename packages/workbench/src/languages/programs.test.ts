import { chmod, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { findProgram, programFolders } from "./programs.js";

async function folders() {
  const root = await realpath(await mkdtemp(join(tmpdir(), "lockstep-programs-")));
  onTestFinished(() => rm(root, { recursive: true }));
  const [project, bin] = [join(root, "project"), join(root, "bin")];
  for (const folder of [bin, join(project, "bin")]) await mkdir(folder, { recursive: true });
  await writeFile(join(project, "bin", "tool"), "#!/bin/sh\n");
  await chmod(join(project, "bin", "tool"), 0o755);
  return { root, project, bin };
}

it("programs are looked for in folders that are not the project's, links followed", async () => {
  const { root, project, bin } = await folders();
  await symlink(join(project, "bin"), join(root, "link"));
  const PATH = ["", ".", "bin", join(project, "bin"), join(root, "link"), `${root}/none`, bin];
  expect(await programFolders({ PATH: PATH.join(":") }, [project])).toEqual([bin]);
  expect(await programFolders({}, [project])).toEqual([]);
});

it("a program is found if it can be run and is not the project's own behind a link", async () => {
  const { project, bin } = await folders();
  const tool = join(bin, "tool");
  expect(await findProgram("tool", [bin], [project])).toBeNull();
  await symlink(join(project, "bin", "tool"), tool);
  expect(await findProgram("tool", [bin], [project])).toBeNull();
  expect(await findProgram("tool", [bin])).toBe(tool);
  await rm(tool);
  await writeFile(tool, "");
  expect(await findProgram("tool", [bin], [project])).toBeNull();
  await chmod(tool, 0o755);
  expect(await findProgram("tool", [bin], [project])).toBe(tool);
});
