import { machineTime } from "../clock.js";
import { Figures } from "../figures.js";
import { Agent } from "./agent.js";
import type { Place } from "./channel.js";
import { CONTENDERS, Contender, type ContenderName } from "./contender.js";
import { type EngineFigures, METRICS, type Row } from "./metrics.js";
import { type Competitor, plan, residentMegabytes } from "./plan.js";
import { keepAwake } from "./wakefulness.js";

/** A start is short and easily disturbed; each round makes this many more of them. */
const FURTHER_STARTS = 2;

export interface RoundsOptions {
  readonly rounds: number;
  readonly placeOf: (name: ContenderName) => Place;
  readonly onRound: (round: number) => void;
}

/**
 * In each round every server is started anew. What is measured goes around in turns: first one
 * server, then the next, so that a busy moment of the machine meets them alike.
 */
export async function runRounds({
  rounds,
  placeOf,
  onRound,
}: RoundsOptions): Promise<EngineFigures> {
  const figures: EngineFigures = new Figures(METRICS, CONTENDERS[0]);
  const steps = plan();
  const start = async (name: ContenderName) => {
    const contender = await Contender.start(name, placeOf(name));
    figures.add(name, { start: contender.lockedAt - contender.startedAt });
    return contender;
  };
  for (let round = 1; round <= rounds; round++) {
    onRound(round);
    const order = rotated(CONTENDERS, round);
    for (let turn = 0; turn < FURTHER_STARTS; turn++) {
      for (const name of order) await useAtOnce(await start(name), figures);
    }
    const competitors: Competitor[] = [];
    for (const name of order) competitors.push(await enter(await start(name), figures));
    await checkSameBytes(competitors);
    for (const { turns, awake, measure } of steps) {
      using _ = awake ? await keepAwake() : undefined;
      for (let turn = 0; turn < turns; turn++) {
        for (const each of competitors) figures.add(each.contender.name, await measure(each));
      }
    }
    for (const { contender, agent } of competitors) {
      await agent.close();
      await contender.stop();
    }
  }
  return figures;
}

/** What a server puts off until after its lock file, its first agent has to wait for. */
async function useAtOnce(contender: Contender, figures: EngineFigures): Promise<void> {
  const agent = await Agent.connect(contender);
  await agent.call("getWorkspaceFolders", {});
  figures.add(contender.name, { firstCall: machineTime() - contender.startedAt });
  await agent.close();
  await contender.stop();
}

/** Weighs a server that was just started, then connects its first agent and weighs it again. */
async function enter(contender: Contender, figures: EngineFigures): Promise<Competitor> {
  const row: Row = { memoryIdle: await residentMegabytes(contender) };
  const agent = await Agent.connect(contender);
  // After these nothing is left to be loaded on first use.
  await agent.request("tools/list", {});
  await agent.call("getWorkspaceFolders", {});
  figures.add(contender.name, { ...row, memoryInUse: await residentMegabytes(contender) });
  return { contender, agent };
}

/** A comparison of servers that say different things would be worth nothing. */
async function checkSameBytes(competitors: readonly Competitor[]): Promise<void> {
  const replies = competitors.map(({ agent }) => agent.call("getWorkspaceFolders", {}));
  const texts = (await Promise.all(replies)).map((reply) => JSON.stringify(reply));
  if (new Set(texts).size !== 1) throw new Error(`The servers' answers differ: ${texts.join(" ")}`);
}

/** Nobody is always the first. */
function rotated<Item>(items: readonly Item[], by: number): readonly Item[] {
  const at = by % items.length;
  return [...items.slice(at), ...items.slice(0, at)];
}
