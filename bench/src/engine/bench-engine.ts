import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Section } from "../report.js";
import { judge } from "./budgets.js";
import type { Place } from "./channel.js";
import { Contender, type ContenderName } from "./contender.js";
import { measureCrowd } from "./measurements/crowd.js";
import { runRounds } from "./rounds.js";

const NOTE =
  "Best of all turns of all rounds. Memory is the resident set after a garbage collection, the least of five readings.";

export interface EngineOptions {
  readonly rounds: number;
  /** For the servers' folders; the caller removes it. */
  readonly folder: string;
  readonly say: (progress: string) => void;
}

/** Three servers side by side, then a hundred agents. */
export async function benchEngine({ rounds, folder, say }: EngineOptions): Promise<Section> {
  const workspace = join(folder, "workspace");
  mkdirSync(workspace);
  /** Kept from round to round, as an editor that is started again finds its own. */
  const placeOf = (name: ContenderName): Place => ({
    workspace,
    configDir: join(folder, name, "config"),
    stateDir: join(folder, name, "state"),
    keepalive: true,
  });
  const onRound = (round: number) => say(`engine, round ${round} of ${rounds}`);
  const figures = await runRounds({ rounds, placeOf, onRound });
  say("a hundred agents");
  // The stalled agent must stay, and the keepalive would drop it.
  const crowded = await Contender.start("lockstep", { ...placeOf("lockstep"), keepalive: false });
  const crowd = await measureCrowd(crowded);
  await crowded.stop();
  return {
    name: "engine",
    title: "The engine",
    rounds,
    figures,
    columns: [
      ["raw", "raw ws"],
      ["sdk", "MCP SDK on ws"],
      ["lockstep", "Lockstep"],
    ],
    ratio: "× raw",
    note: NOTE,
    details: { crowd },
    verdicts: judge(figures, crowd),
  };
}
