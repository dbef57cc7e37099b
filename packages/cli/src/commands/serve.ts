import { parseArgs } from "node:util";
import type { Abilities } from "@lockstep/editor";
import { printable } from "@lockstep/protocol";
import type { Patch, State } from "@lockstep/workbench/contract";
import { type Command, EXIT, UsageError } from "../command.js";
import { holdEditor } from "../editor/hold-editor.js";
import type { StartedEditor } from "../editor/start-editor.js";
import { stopSignal } from "../stop-signal.js";
import { workspace } from "../workspace.js";

const help = `lockstep serve [folder] [--json] [--decide ask|accept|reject] [--config-dir DIR]

Serves a folder to coding agents until it is stopped: the editor without its page.
Without a folder it serves the current one. Nobody sits in front of it, so what needs
a person's consent is refused.

  --json              print one line of JSON when ready, and nothing else
  --decide HOW        what to do with the agents' proposals: "ask" leaves them to
                      lockstep review and to the agent's own terminal (the default);
                      "accept" and "reject" decide at once, for automation
  --config-dir DIR    announce in DIR/ide instead of ~/.claude/ide

Examples:
  lockstep serve
  lockstep serve ~/project --decide accept --json`;

type Decide = "ask" | "accept" | "reject";

async function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      json: { type: "boolean", default: false },
      decide: { type: "string", default: "ask" },
      "config-dir": { type: "string" },
    },
  });
  if (positionals.length > 1) throw new UsageError("serve takes one folder");
  const decide = decision(values.decide);
  const folder = await workspace(positionals[0] ?? ".");
  const running = await holdEditor(
    { folder, configDir: values["config-dir"], abilities: (own) => unattended(own, decide) },
    stopSignal(),
    async (editor) => {
      const { port, lockFile, workspaceFolders } = editor.announced;
      if (values.json) {
        console.log(JSON.stringify({ port, lockFile, pid: process.pid, workspaceFolders }));
      } else {
        console.log(welcome(folder, port));
        tellWhatHappens(editor);
      }
    },
  );
  if (!running) return EXIT.ok;
  console.error(
    printable(
      `lockstep: Lockstep serves ${folder} already, on port ${running.port} (process ${running.pid}).`,
    ),
  );
  return EXIT.failed;
}

function decision(given: string): Decide {
  if (given === "ask" || given === "accept" || given === "reject") return given;
  throw new UsageError(`--decide takes ask, accept or reject, not ${given}`);
}

/** Nobody can be asked, and proposals may be decided without anybody. */
function unattended(own: Abilities, decide: Decide): Abilities {
  if (decide === "ask") return { ...own, confirm: undefined };
  return {
    ...own,
    confirm: undefined,
    review: ({ text }) => ({
      outcome: Promise.resolve(
        decide === "accept" ? { kind: "accepted", text } : { kind: "rejected" },
      ),
      withdraw: async () => text,
    }),
  };
}

function welcome(folder: string, port: number): string {
  return `Lockstep serves ${printable(folder)} on port ${port}.

Connect Claude Code from that folder:
  claude --ide
or type /ide in one that is already running. Stop with Ctrl+C.
`;
}

/** A line for each agent that comes or goes, and for each proposal. */
function tellWhatHappens({ store }: StartedEditor): void {
  let before = store.state;
  store.subscribe((patch) => {
    const line = news(patch, before, store.state);
    before = store.state;
    if (line !== null) console.log(printable(line));
  });
}

function news(patch: Patch, before: State, now: State): string | null {
  if (patch.kind !== "entry") return null;
  const { collection, key } = patch;
  if (collection === "agents") {
    const agent = now.agents[key];
    if (!agent) return null;
    if (!before.agents[key]) return `${agent.name} connected.`;
    return agent.left !== null && before.agents[key]?.left === null ? `${agent.name} left.` : null;
  }
  if (collection !== "proposals") return null;
  const path = ({ place, label }: { place: string; label: string }) =>
    place === "" ? label : `${place}/${label}`;
  const proposal = now.proposals[key];
  const known = before.proposals[key];
  if (proposal && !known)
    return `Proposal for ${path(proposal)}: lockstep review, or answer it in the agent's terminal.`;
  return known && !proposal ? `The proposal for ${path(known)} is off the table.` : null;
}

export const command: Command = { help, run };
