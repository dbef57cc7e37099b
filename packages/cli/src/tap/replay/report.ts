import { printable } from "@lockstep/protocol";
import { paints } from "../../paint.js";
import type { Difference } from "./replay-agent.js";

/** Around the place where two texts part. */
const BEFORE = 20;
const LONGEST = 100;

/** What a replay has found, line by line. */
export function describe(answers: number, differences: readonly Difference[]): readonly string[] {
  const { bold, faint, green, red } = paints(process.stdout);
  if (differences.length === 0)
    return [green(`${count(answers, "answer")}, all as in the recording.`)];
  const found = differences.flatMap(({ line, subject, path, recorded, now }) => {
    const [then, today] = shortened(shown(recorded), shown(now));
    const where = path === "" ? "" : ` ${printable(path)}`;
    return [
      `${bold(printable(subject))}${where} ${faint(`line ${line}`)}`,
      `  then  ${then}`,
      `  now   ${today}`,
    ];
  });
  const sum = `${count(answers, "answer")}, ${count(differences.length, "difference")}.`;
  return [...found, red(sum)];
}

function shown(value: unknown): string {
  return value === undefined ? "nothing" : JSON.stringify(value);
}

/** Long texts from where they begin to differ. */
function shortened(one: string, other: string): readonly [string, string] {
  if (one.length <= LONGEST && other.length <= LONGEST) return [printable(one), printable(other)];
  let same = 0;
  while (same < one.length && one[same] === other[same]) same++;
  const from = Math.max(0, same - BEFORE);
  const cut = (text: string) => {
    const part = text.slice(from, from + LONGEST);
    return printable(`${from > 0 ? "…" : ""}${part}${from + LONGEST < text.length ? "…" : ""}`);
  };
  return [cut(one), cut(other)];
}

const count = (number: number, noun: string): string =>
  `${number} ${noun}${number === 1 ? "" : "s"}`;
