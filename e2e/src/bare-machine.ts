import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** Where the system keeps Python's packages and what Jupyter knows of kernels. */
const FOLDERS = [
  "/usr/share/jupyter",
  "/usr/local/share/jupyter",
  "/usr/lib/python3/dist-packages",
  ...pythonsOf("/usr/local/lib"),
].filter((folder) => existsSync(folder));

const HIDE = `set -e; ${FOLDERS.map((folder) => `mount -t tmpfs none ${folder}`).join("; ")}; exec "$@"`;

// Root may mount in a namespace of its own; anyone else needs to be root of one first.
const unshare = process.getuid?.() === 0 ? ["-m"] : ["-r", "-m"];

/** Starts the command that comes after it on this machine as it was before Jupyter was installed. */
export const withoutJupyter: readonly string[] = ["unshare", ...unshare, "sh", "-c", HIDE, "sh"];

/** The environment that belongs to it: other Pythons than the system's are not on the PATH. */
export const systemPath = { PATH: "/usr/bin:/bin" };

/** Why nothing can be hidden here; undefined when it can. */
export function whyNotBare(): string | undefined {
  const [program = "", ...args] = [...withoutJupyter, "true"];
  const { status, stderr, error } = spawnSync(program, args, { encoding: "utf8" });
  if (status === 0) return undefined;
  return `the system's folders cannot be hidden: ${error?.message ?? stderr.trim()}`;
}

function pythonsOf(folder: string): string[] {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names
    .filter((name) => /^python3[\d.]*$/.test(name))
    .map((name) => join(folder, name, "dist-packages"));
}
