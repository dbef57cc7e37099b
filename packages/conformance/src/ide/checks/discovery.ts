import { realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute } from "node:path";
import { isAlive } from "@lockstep/client";
import { lockFilePort } from "@lockstep/protocol";
import { expect, NotChecked, seen } from "../../check.js";
import type { IdeCheck } from "./ide-check.js";

export const discovery: readonly IdeCheck[] = [
  {
    clause: "C1",
    title: "An editor announces itself by a lock file that is named after its port",
    async check({ lockFile }) {
      const name = basename(lockFile);
      expect(lockFilePort(name) !== null, `${name} is not <port>.lock`);
      const folder = basename(dirname(lockFile));
      expect(folder === "ide", `the lock file is in a folder ${folder}, not ide`);
    },
  },
  {
    clause: "C2",
    title: "The lock file says who the editor is and how to reach it",
    async check(ide) {
      const { transport, workspaceFolders, ideName, pid } = await ide.lock();
      expect(transport === "ws", `transport is ${seen(transport)}, not "ws"`);
      const strings =
        Array.isArray(workspaceFolders) &&
        workspaceFolders.every((path) => typeof path === "string");
      expect(strings, `workspaceFolders is ${seen(workspaceFolders)}`);
      expect(typeof ideName === "string" && ideName !== "", `ideName is ${seen(ideName)}`);
      expect(Number.isInteger(pid), `pid is ${seen(pid)}`);
    },
  },
  {
    clause: "C3",
    title: "The process that the lock file names is alive",
    async check(ide) {
      const { pid } = await ide.lock();
      expect(isAlive(Number(pid)), `there is no process ${seen(pid)}`);
    },
  },
  {
    clause: "C4",
    title: "Workspace folders are absolute paths without links",
    async check(ide) {
      const folders = await ide.folders();
      if (folders.length === 0) throw new NotChecked("the editor has no folder open");
      for (const folder of folders) {
        expect(isAbsolute(folder), `${folder} is not an absolute path`);
        const real = await realpath(folder).catch(() => null);
        expect(real !== null, `there is no folder ${folder}`);
        expect(real === folder.replace(/(?<=.)\/$/, ""), `${folder} is a link to ${real}`);
      }
    },
  },
];
