import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { Shadow } from "@lockstep/workbench";
import { Figures, less, type Metric } from "../figures.js";
import type { Section } from "../report.js";
import type { Verdict } from "../verdict.js";
import { cpuTime } from "./cpu.js";
import { FILES, fileAt, makeRepository } from "./repository.js";

const METRICS = {
  first: less("first look at 100,000 files, CPU", "ms"),
  again: less("look at all of them again, CPU", "ms"),
  idle: less("checkpoint, nothing new, CPU", "ms"),
  changed: less("checkpoint, 1,000 files changed, CPU", "ms"),
  task: less("longest task on the main thread meanwhile", "ms"),
} as const satisfies Record<string, Metric>;
type Id = keyof typeof METRICS;

const NOTE =
  "Best of all rounds. CPU is that of all threads and of git, which is asked; beside it what one `git status` takes. All files are looked at when Lockstep starts, and when changes were missed; a prompt makes a checkpoint.";

const CHANGED = 1_000;
const CHECKPOINTS = 100;

export interface TurnsOptions {
  readonly rounds: number;
  /** For the repository and the copies; the caller removes it. */
  readonly folder: string;
  readonly say: (progress: string) => void;
}

/** What checkpoints cost, of which each prompt makes one. */
export async function benchTurns({ rounds, folder, say }: TurnsOptions): Promise<Section> {
  const figures = new Figures<"status" | "lockstep", Id>(METRICS, "status");
  say(`turns, ${FILES.toLocaleString("en")} files`);
  const root = join(folder, "project");
  mkdirSync(root);
  makeRepository(root);
  for (let round = 1; round <= rounds; round++) {
    say(`turns, round ${round} of ${rounds}`);
    const status = await measure(async () => {
      execFileSync("git", ["status", "--porcelain"], { cwd: root, maxBuffer: 2 ** 28 });
    });
    figures.add("status", { first: status.cpu, again: status.cpu });
    figures.add("lockstep", await measureShadow(root, join(folder, `copies-${round}`)));
    execFileSync("git", ["checkout", "-q", "."], { cwd: root });
  }
  return {
    name: "turns",
    title: "Turns",
    rounds,
    figures,
    columns: [
      ["status", "git status"],
      ["lockstep", "Lockstep"],
    ],
    ratio: "× git status",
    note: NOTE,
    details: {},
    verdicts: judge(figures),
  };
}

async function measureShadow(root: string, store: string): Promise<Record<Id, number>> {
  const shadow = new Shadow(root, store);
  try {
    const first = await measure(() => shadow.open());
    const idle = await measure(async () => {
      for (let at = 0; at < CHECKPOINTS; at++) await shadow.checkpoint(Date.now());
    });
    const paths = Array.from({ length: CHANGED }, (_, index) => join(root, fileAt(index * 7)));
    for (const path of paths) writeFileSync(path, `export const value = ${Math.random()};\n`);
    const changed = await measure(async () => {
      shadow.touch(paths);
      const { changes } = await shadow.look();
      if (changes.length !== CHANGED) throw new Error(`${changes.length} changes were found`);
      await shadow.secure(changes.map(({ path, before }) => ({ path, image: before })));
      await shadow.checkpoint(Date.now());
    });
    const again = await measure(async () => {
      shadow.touch([root]);
      await shadow.checkpoint(Date.now());
    });
    return {
      first: first.cpu,
      again: again.cpu,
      idle: idle.cpu / CHECKPOINTS,
      changed: changed.cpu,
      task: Math.max(...[first, idle, changed, again].map(({ task }) => task)),
    };
  } finally {
    await shadow.close();
  }
}

/** What it cost, and how long the main thread was busy at a time. */
async function measure(
  work: () => Promise<unknown>,
): Promise<{ readonly cpu: number; readonly task: number }> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const before = cpuTime();
  await work();
  const cpu = cpuTime() - before;
  delay.disable();
  return { cpu, task: delay.max / 1e6 };
}

function judge(figures: Figures<"status" | "lockstep", Id>): readonly Verdict[] {
  const atMost = (metric: Id, limit: number): Verdict => {
    const best = figures.best("lockstep", metric) ?? Number.NaN;
    const { label, unit } = METRICS[metric];
    return {
      promise: `${label} ≤ ${limit.toLocaleString("en")} ${unit}`,
      found: `${best.toFixed(1)} ${unit}`,
      kept: best <= limit,
    };
  };
  const timesStatus = (metric: Id, limit: number): Verdict => {
    const ratio = figures.ratio("lockstep", metric) ?? Number.NaN;
    return {
      promise: `${METRICS[metric].label} ≤ ${limit} × git status`,
      found: `${ratio.toFixed(2)} ×`,
      kept: ratio <= limit,
    };
  };
  // Git lists twice for it, which is most of a status, and the same looks at files take Node half as
  // long again as git: about 3 is the least. The rest is what is kept of each file.
  return [
    timesStatus("first", 6),
    timesStatus("again", 6),
    atMost("idle", 10),
    atMost("changed", 1_000),
    atMost("task", 50),
  ];
}
