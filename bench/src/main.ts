// npm run bench [-- --json | --markdown] [--rounds N]: three servers side by side, then the budgets.
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { judge } from "./budgets.js";
import type { Place } from "./channel.js";
import { Contender, type ContenderName } from "./contender.js";
import { measureCrowd } from "./measurements/crowd.js";
import { asJson, asMarkdown, asText } from "./report.js";
import { runRounds } from "./rounds.js";

const { values: options } = parseArgs({
  options: {
    json: { type: "boolean" },
    markdown: { type: "boolean" },
    rounds: { type: "string", default: "7" },
  },
});
const rounds = Number(options.rounds);
if (!Number.isInteger(rounds) || rounds < 1) {
  console.error("--rounds takes a whole number, at least 1");
  process.exit(2);
}

const folder = realpathSync(mkdtempSync(join(tmpdir(), "lockstep-bench-")));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
// An interrupted bench cleans up as well; the servers end when their channel does.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));

const workspace = join(folder, "workspace");
mkdirSync(workspace);
/** Kept from round to round, as an editor that is started again finds its own. */
const placeOf = (name: ContenderName): Place => ({
  workspace,
  configDir: join(folder, name, "config"),
  stateDir: join(folder, name, "state"),
  keepalive: true,
});

const say = (progress: string) => process.stderr.write(`${progress}\n`);
const onRound = (round: number) => say(`round ${round} of ${rounds}`);
const figures = await runRounds({ rounds, placeOf, onRound });
say("a hundred agents");
// The stalled agent must stay, and the keepalive would drop it.
const crowded = await Contender.start("lockstep", { ...placeOf("lockstep"), keepalive: false });
const crowd = await measureCrowd(crowded);
await crowded.stop();

const verdicts = judge(figures, crowd);
const print = options.json ? asJson : options.markdown ? asMarkdown : asText;
console.log(print({ rounds, figures, crowd, verdicts }));
process.exitCode = verdicts.every(({ kept }) => kept) ? 0 : 1;
