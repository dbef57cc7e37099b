// npm run bench: builds what it needs, then compares servers. Options are bench/src/main.ts's.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

if (!existsSync(join(root, "node_modules"))) run("npm", ["ci"]);
// The servers run from the built packages, as an embedder gets them; the build makes those as well.
run("npx", ["tsc", "-b", "bench"]);
run(process.execPath, [join("scripts", "bundle.mjs")]);
run(process.execPath, [join("bench", "dist", "main.js"), ...process.argv.slice(2)]);

/** Ends this process with the command's status unless it went well. */
function run(program, args) {
  // Only the bench's own output goes to stdout, so that --json can be piped on.
  const stdout = program === process.execPath ? "inherit" : 2;
  const shell = process.platform === "win32" && program !== process.execPath;
  const { status, error } = spawnSync(program, args, {
    cwd: root,
    stdio: ["inherit", stdout, "inherit"],
    shell,
  });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}
