import { expect, it } from "vitest";
import { LockFile, lockFilePort } from "./lock-file.js";

it("a lock file's name is its port", () => {
  expect(lockFilePort("10000.lock")).toBe(10000);
  expect(lockFilePort("65535.lock")).toBe(65535);
  for (const name of [
    "65536.lock",
    "0.lock",
    "01.lock",
    "1.lock.tmp",
    ".1.lock",
    "x.lock",
    "1e3.lock",
    "-1.lock",
  ]) {
    expect(lockFilePort(name)).toBeNull();
  }
});

it("a lock file may leave out what other editors leave out, but not lie about types", () => {
  expect(LockFile.parse({})).toEqual({ workspaceFolders: [] });
  const full = { pid: 1, workspaceFolders: ["/a"], ideName: "x", transport: "ws", authToken: "t" };
  expect(LockFile.parse({ ...full, extra: 1 })).toEqual(full);
  expect(LockFile.parse({ ...full, pid: "1" })).toEqual(full);
  for (const bad of [null, [], { workspaceFolders: "/a" }, { authToken: 7 }, { pid: "x" }]) {
    expect(LockFile.safeParse(bad).success).toBe(false);
  }
});
