/** Gets a checkout ready, and skips what is ready already. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("..", import.meta.url));

const npm = process.platform === "win32" ? "npm.cmd" : "npm";
const stamp = `${root}node_modules/.installed-from`;

/** Runs a command in the checkout and ends this process if it fails. */
export function run(command, args, { quiet = false } = {}) {
  const stdio = ["ignore", quiet ? "ignore" : "inherit", "inherit"];
  const { status, error } = spawnSync(command, args, { cwd: root, stdio });
  if (error) console.error(error.message);
  if (status !== 0) process.exit(status ?? 1);
}

/** A program of a package that the checkout depends on. */
export function bin(name) {
  return `${root}node_modules/.bin/${name}`;
}

/** `npm ci`, unless it was done for this very lock file. */
export function install() {
  const lock = createHash("sha256")
    .update(readFileSync(`${root}package-lock.json`))
    .digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === lock) return;
  console.error("Installing dependencies…");
  run(npm, ["ci", "--no-audit", "--no-fund"], { quiet: true });
  writeFileSync(stamp, lock);
}

/** Types by the compiler, which skips what is up to date; then the code, in some 50 ms. */
export function build(...projects) {
  run(bin("tsc"), ["-b", ...projects]);
  run(process.execPath, ["scripts/bundle.mjs"]);
}
