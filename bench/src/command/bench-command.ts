import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Figures, less, type Metric } from "../figures.js";
import type { Section } from "../report.js";
import type { Verdict } from "../verdict.js";

const LOCKSTEP = fileURLToPath(new URL("../../../packages/cli/bin/lockstep.js", import.meta.url));

const METRICS = {
  nothing: less("node -e 0", "ms"),
  version: less("lockstep --version", "ms"),
  ls: less("lockstep ls", "ms"),
} as const satisfies Record<string, Metric>;
type MetricId = keyof typeof METRICS;

const LINES: Readonly<Record<MetricId, readonly string[]>> = {
  nothing: ["-e", "0"],
  version: [LOCKSTEP, "--version"],
  ls: [LOCKSTEP, "ls"],
};

/** So many starts of each in a round, one after the other in turns. */
const STARTS = 5;

export interface CommandOptions {
  readonly rounds: number;
  /** For a home; the caller removes it. */
  readonly folder: string;
  readonly say: (progress: string) => void;
}

/** What a person waits for before a command has begun: its start, beside that of Node itself. */
export function benchCommand({ rounds, folder, say }: CommandOptions): Section {
  const figures = new Figures<"lockstep", MetricId>(METRICS, "lockstep");
  const home = join(folder, "home");
  mkdirSync(home);
  for (let round = 1; round <= rounds; round++) {
    say(`command, round ${round} of ${rounds}`);
    for (let start = 0; start < STARTS; start++) {
      for (const id of Object.keys(LINES) as MetricId[]) {
        figures.add("lockstep", { [id]: timed(LINES[id], home) });
      }
    }
  }
  return {
    name: "command",
    title: "The command",
    rounds,
    figures,
    columns: [["lockstep", "time"]],
    ratio: "",
    note: "Best of all starts, from spawning the process to its end.",
    details: {},
    verdicts: [atMost(figures, "version", 1.5), atMost(figures, "ls", 3)],
  };
}

function timed(line: readonly string[], home: string): number {
  const began = performance.now();
  const { status } = spawnSync(process.execPath, line, { env: { HOME: home }, stdio: "ignore" });
  if (status !== 0) throw new Error(`${line.join(" ")} ended with ${status}`);
  return performance.now() - began;
}

function atMost(figures: Figures<"lockstep", MetricId>, id: MetricId, limit: number): Verdict {
  const best = (metric: MetricId) => figures.best("lockstep", metric) ?? Number.NaN;
  const ratio = best(id) / best("nothing");
  return {
    promise: `${METRICS[id].label} ≤ ${limit} × node -e 0`,
    found: `${ratio.toFixed(2)} × node -e 0`,
    kept: ratio <= limit,
  };
}
