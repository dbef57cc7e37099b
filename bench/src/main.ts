// npm run bench [-- --engine] [--page] [--command] [--turns] [--code-server] [--json | --markdown] [--rounds N]
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { benchCommand } from "./command/bench-command.js";
import { benchEngine } from "./engine/bench-engine.js";
import { benchPage } from "./page/bench-page.js";
import { whyNoChromium } from "./page/chromium.js";
import { findCodeServer } from "./page/code-server.js";
import { asJson, asMarkdown, asText, type Section } from "./report.js";
import { benchTurns } from "./turns/bench-turns.js";
import { whyNoCpu } from "./turns/cpu.js";

const { values: options } = parseArgs({
  options: {
    engine: { type: "boolean", default: false },
    page: { type: "boolean", default: false },
    command: { type: "boolean", default: false },
    turns: { type: "boolean", default: false },
    "code-server": { type: "boolean", default: false },
    json: { type: "boolean" },
    markdown: { type: "boolean" },
    rounds: { type: "string" },
  },
});
/** A round of the page takes ten times as long as one of the engine. */
const ROUNDS = { engine: 7, page: 3, command: 5, turns: 5 };
const rounds = options.rounds === undefined ? undefined : Number(options.rounds);
if (rounds !== undefined && (!Number.isInteger(rounds) || rounds < 1)) {
  console.error("--rounds takes a whole number, at least 1");
  process.exit(2);
}
/** Those that were named; all of them if none was. */
const named = Object.keys(ROUNDS).some((part) => options[part as keyof typeof ROUNDS]);
const isWanted = (part: keyof typeof ROUNDS) => !named || options[part];

const folder = realpathSync(mkdtempSync(join(tmpdir(), "lockstep-bench-")));
process.on("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
// An interrupted bench cleans up as well; the servers end when their channel does.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));

const say = (progress: string) => process.stderr.write(`${progress}\n`);
const place = (name: string) => {
  mkdirSync(join(folder, name));
  return join(folder, name);
};

const sections: Section[] = [];
if (isWanted("engine")) {
  sections.push(
    await benchEngine({ rounds: rounds ?? ROUNDS.engine, folder: place("engine"), say }),
  );
}
if (isWanted("page")) {
  const missing = whyNoChromium();
  const codeServer = options["code-server"] ? findCodeServer() : null;
  if (missing) say(`The page is left out: ${missing}`);
  else {
    const all = { rounds: rounds ?? ROUNDS.page, folder: place("page"), say, codeServer };
    sections.push(await benchPage(all));
  }
}
if (isWanted("command")) {
  const all = { rounds: rounds ?? ROUNDS.command, folder: place("command"), say };
  sections.push(benchCommand(all));
}
if (isWanted("turns")) {
  const missing = whyNoCpu();
  const all = { rounds: rounds ?? ROUNDS.turns, folder: place("turns"), say };
  if (missing) say(`Turns are left out: ${missing}`);
  else sections.push(await benchTurns(all));
}

const print = options.json ? asJson : options.markdown ? asMarkdown : asText;
console.log(print(sections));
const kept = sections.every(({ verdicts }) => verdicts.every((verdict) => verdict.kept));
process.exitCode = kept ? 0 : 1;
