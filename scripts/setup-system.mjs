// Makes the programs available that tests need and npm does not bring: `npm run setup:system`.
// Quick when everything is there. What is needed, how to see that it is there and how to get it is
// one row of the table; tests ask the same table why something is missing.
import { spawnSync } from "node:child_process";
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const cacheFolder = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "lockstep");

/** The agent that the end-to-end tests drive: one version, one content, outside every package. */
const claudeCode = {
  name: "@anthropic-ai/claude-code-linux-x64",
  version: "2.1.325",
  integrity:
    "sha512-BqZzMvP/zgLLL34S+7OzbG+cyoFp7gwWHU5koVwsyMlTAz+0zZAmbY+UkzvtN2RXxp6AcMenbYIjQJxoXfUY3w==",
};
const claudeFolder = join(cacheFolder, `claude-code-${claudeCode.version}`);

/** Where the Claude Code CLI is once it is set up. */
export const claudePath = join(claudeFolder, "node_modules", claudeCode.name, "claude");

/** One row per thing. `apt` rows are installed together; `install` gets a thing in its own way. */
const table = [
  { need: "tmux", apt: "tmux", missing: () => absentFromPath("tmux") },
  { need: "ip", apt: "iproute2", missing: () => absentFromPath("ip") },
  { need: "unshare", apt: "util-linux", missing: () => absentFromPath("unshare") },
  { need: "chromium", apt: "chromium", missing: () => absentFromPath("chromium") },
  { need: "fonts", apt: "fonts-dejavu-core", missing: missingFonts },
  { need: "sshd", apt: "openssh-server", missing: () => absentFromPath("sshd") },
  { need: "git", apt: "git", missing: () => absentFromPath("git") },
  {
    need: "jupyter",
    apt: ["python3-ipykernel", "python3-matplotlib", "python3-pandas"],
    missing: missingJupyter,
  },
  { need: "claude", install: installClaude, missing: missingClaude },
];

/**
 * Why `need` is not available, as a sentence without its end; undefined when it is.
 * @param {string} need
 * @returns {string | undefined}
 */
export function whyMissing(need) {
  const row = table.find((candidate) => candidate.need === need);
  if (!row) throw new Error(`setup-system.mjs knows no ${need}`);
  const reason = row.missing();
  return reason && `${reason}, run npm run setup:system`;
}

/**
 * Gets what is missing. Returns what is still missing after that, one sentence each.
 * @returns {string[]}
 */
export function setupSystem() {
  const rows = table.filter((row) => row.missing());
  installPackages([...new Set(rows.flatMap((row) => row.apt ?? []))]);
  for (const row of rows) row.install?.();
  return rows.flatMap((row) => row.missing() ?? []);
}

function absentFromPath(program) {
  // System programs live in sbin folders, which not every user's PATH names.
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin", "/sbin"];
  if (folders.some((folder) => folder && isExecutable(join(folder, program)))) return undefined;
  return `${program} is not installed`;
}

/** Without any, Chromium shows boxes for letters. */
function missingFonts() {
  const folder = "/usr/share/fonts";
  const some = existsSync(folder) && readdirSync(folder, { recursive: true }).length > 0;
  return some || process.platform !== "linux" ? undefined : "no fonts are installed";
}

/** The system's own Python: the first on the PATH may be another, without all of it. */
function missingJupyter() {
  const ask = ["-c", "import ipykernel, matplotlib, pandas"];
  const { status } = spawnSync("/usr/bin/python3", ask, { cwd: "/", stdio: "ignore" });
  return status === 0
    ? undefined
    : "the system's Python has no Jupyter kernel with matplotlib and pandas";
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function installPackages(packages) {
  if (packages.length === 0) return;
  const install = ["apt-get", "install", "-y", "--no-install-recommends", ...packages];
  if (absentFromPath("apt-get")) {
    console.log(`Install these with the system's package manager: ${packages.join(", ")}`);
  } else if (process.getuid?.() !== 0) {
    console.log(`Run this as an administrator, then start again:\n  sudo ${install.join(" ")}`);
  } else {
    run(["apt-get", "update"]);
    run(install);
  }
}

function missingClaude() {
  if (process.platform !== "linux" || process.arch !== "x64")
    return "the Claude Code CLI is tested on Linux x64 only";
  return existsSync(claudePath)
    ? undefined
    : `the Claude Code CLI ${claudeCode.version} is not there`;
}

function installClaude() {
  if (process.platform !== "linux" || process.arch !== "x64") return;
  mkdirSync(cacheFolder, { recursive: true });
  // Made beside its place and moved there whole, so that an interrupted run leaves nothing half done.
  sweepUnfinished();
  const unfinished = mkdtempSync(`${claudeFolder}.unfinished-${process.pid}-`);
  try {
    writeFileSync(join(unfinished, "package.json"), `{"private":true}\n`);
    const what = `${claudeCode.name}@${claudeCode.version}`;
    const installed = run(["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", what], {
      cwd: unfinished,
    });
    if (!installed) return;
    const lock = join(unfinished, "node_modules", ".package-lock.json");
    const { packages } = JSON.parse(readFileSync(lock, "utf8"));
    const { integrity } = packages[`node_modules/${claudeCode.name}`];
    if (integrity !== claudeCode.integrity)
      throw new Error(`${what} has the content ${integrity}, expected ${claudeCode.integrity}`);
    // A folder without the program in it is a leftover; with it, another run was faster.
    if (!existsSync(claudePath)) {
      rmSync(claudeFolder, { recursive: true, force: true });
      renameSync(unfinished, claudeFolder);
    }
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

/** What interrupted runs have left; a run that is still alive keeps its own. */
function sweepUnfinished() {
  for (const name of readdirSync(cacheFolder)) {
    const pid = name.match(/\.unfinished-(\d+)-/)?.[1];
    if (pid && !existsSync(`/proc/${pid}`))
      rmSync(join(cacheFolder, name), { recursive: true, force: true });
  }
}

function run([program, ...rest], options = {}) {
  console.log(`> ${[program, ...rest].join(" ")}`);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const { status, error } = spawnSync(program, rest, { stdio: "inherit", env, ...options });
  if (status === 0) return true;
  console.log(error ? `${program}: ${error.message}` : `${program} ended with status ${status}`);
  return false;
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const missing = setupSystem();
  for (const reason of missing) console.error(`Missing: ${reason}`);
  if (missing.length === 0) console.log("Everything that tests need is there.");
  process.exitCode = missing.length === 0 ? 0 : 1;
}
