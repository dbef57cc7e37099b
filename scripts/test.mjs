/**
 * `npm test`: format, lint, types and all tests, from whatever state the checkout is in.
 *
 *   --quick   without attacks, loads, installed packages, the browser and the real Claude Code CLI
 *   --e2e     the tests with the CLI alone
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bin, build, install, root, run } from "./checkout.mjs";
import { whyNotLoopback } from "./loopback.mjs";

const only = process.argv[2];
const reports = mkdtempSync(join(tmpdir(), "lockstep-test-"));

install();
if (process.env.CI && only !== "--quick") run("node", ["scripts/setup-system.mjs"]);
if (only !== "--e2e") run(bin("biome"), ["ci", "."]);
build();
if (only !== "--e2e") {
  run(bin("tsc"), ["--noEmit", "-p", "tsconfig.test.json"]);
  run(bin("tsc"), ["--noEmit", "-p", "packages/web"]);
  run(bin("tsc"), ["--noEmit", "-p", "packages/cli/src/tap/view/page"]);
}

const failed = [
  ...(only === "--e2e" ? [] : [vitest("unit", [])]),
  ...(only ? [] : [vitest("thorough", []), vitest("packages", [])]),
  ...(only ? [] : [vitest("page", loopback())]),
  ...(only === "--quick" ? [] : [vitest("e2e", loopback())]),
].some((status) => status !== 0);
summarise();
rmSync(reports, { recursive: true });
process.exit(failed ? 1 : 0);

/** Where there is no such namespace the tests say so and are skipped. */
function loopback() {
  return whyNotLoopback() ? [] : ["node", "scripts/loopback.mjs", "--"];
}

function vitest(project, wrapper) {
  const report = [
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${reports}/${project}`,
  ];
  const [command, ...args] = [...wrapper, bin("vitest"), "run", "--project", project, ...report];
  return spawnSync(command, args, { cwd: root, stdio: "inherit" }).status;
}

function summarise() {
  const results = ["unit", "thorough", "packages", "page", "e2e"].flatMap((project) => {
    try {
      return [JSON.parse(readFileSync(join(reports, project), "utf8"))];
    } catch {
      return [];
    }
  });
  const suites = results.flatMap(({ testResults }) => testResults);
  const tests = suites.flatMap(({ assertionResults }) => assertionResults);
  const skipped = tests.filter(({ status }) => status === "skipped" || status === "pending");
  for (const { fullName } of skipped) console.log(`skipped: ${fullName}`);
  const sum = (field) => results.reduce((total, result) => total + result[field], 0);
  const counts = [
    `${sum("numPassedTests")} passed`,
    `${sum("numFailedTests")} failed`,
    `${sum("numPendingTests")} skipped`,
  ];
  console.log(counts.join(", "));
}
