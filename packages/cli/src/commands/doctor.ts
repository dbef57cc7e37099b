import { parseArgs } from "node:util";
import { printable } from "@lockstep/protocol";
import { type Command, EXIT } from "../command.js";
import { COMMON_HELP, COMMON_OPTIONS, openLog } from "../common-options.js";
import { fix } from "../doctor/fix.js";
import { gather } from "../doctor/gather.js";
import { judge } from "../doctor/judge.js";
import { asJson, report } from "../doctor/report.js";
import { jsonText } from "../json-text.js";
import { paints } from "../paint.js";
import { Progress } from "../progress.js";

const help = `lockstep doctor [--fix] [--json]

Says why an agent that is started in this folder would connect to an editor, or
why not: every lock file, the process and the port behind it, the folder, the
environment, the handshake, and whom else the editor would let in. Any editor's
plugin is looked at, not only Lockstep. Exit code 1 if an agent could not connect.

  --fix               remove lock files whose editor is gone, and close to others
                      what is yours; nothing of a running editor is touched
${COMMON_HELP}

Examples:
  lockstep doctor
  lockstep doctor --fix
  lockstep doctor --json | jq .findings`;

async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: { ...COMMON_OPTIONS, fix: { type: "boolean", default: false } },
  });
  using log = openLog(values);
  const look = () =>
    gather({ cwd: process.cwd(), env: process.env, configDir: values["config-dir"] });
  using progress = new Progress(values.quiet);
  progress.say("Looking at the editors of this machine…");
  let facts = await look();
  let diagnosis = judge(facts);
  for (const { reading } of facts.locks)
    if (reading.kind === "read") log.hide(reading.lock.token());
  // What the agent reads into a file that is no JSON may be all of it, the token too.
  const locks = facts.locks.map((lock) => ({ ...lock, reading: lock.reading.kind }));
  log.note("facts", JSON.stringify({ ...facts, locks, env: Object.keys(facts.env) }));
  const fixed = values.fix ? await fix(diagnosis.findings) : [];
  if (fixed.length > 0) {
    facts = await look();
    diagnosis = judge(facts);
  }
  progress.end();
  if (values.json) {
    console.log(jsonText({ ...asJson(diagnosis, facts.cwd), fixed }, 2));
  } else {
    console.log(report(diagnosis, facts.cwd, paints(process.stdout)));
    if (values.fix)
      console.log(["", ...(fixed.length > 0 ? fixed.map(printable) : [NOTHING])].join("\n"));
    else if (!values.quiet && diagnosis.findings.some(({ remedy }) => remedy))
      console.log(`\n${HINT}`);
  }
  return diagnosis.chosen ? EXIT.ok : EXIT.failed;
}

const NOTHING = "There was nothing that --fix could do safely.";
const HINT = "lockstep doctor --fix does what can be done safely.";

export const command: Command = { help, run };
