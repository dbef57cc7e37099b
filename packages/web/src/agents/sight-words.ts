import type { AgentInfo, Sight } from "@lockstep/workbench/contract";

/** What agents see now, as a sentence for the status bar. */
export function sightWords(sight: Sight, agents: readonly AgentInfo[]): string {
  switch (sight.kind) {
    case "nothing":
      if (agents.length === 0) return "Nothing is shared";
      return `${who(agents)} ${verb(agents)} nothing`;
    case "file":
      return `${who(agents)} ${verb(agents)} ${cellOf(sight.cell)}${sight.label}`;
    case "lines":
      return `${who(agents)} ${verb(agents)} ${lines(sight.first, sight.last)} of ${cellOf(sight.cell)}${sight.label}`;
    case "withheld":
      return `${sight.label} is withheld: ${sight.why}`;
  }
}

/** People count from 1. */
export function lines(first: number, last: number): string {
  return first === last ? `line ${first + 1}` : `lines ${first + 1}–${last + 1}`;
}

const cellOf = (cell: number | undefined): string =>
  cell === undefined ? "" : `cell ${cell + 1} of `;

function who(agents: readonly AgentInfo[]): string {
  const [first] = agents;
  if (!first) return "Agents";
  return agents.length === 1 ? first.name : `${agents.length} agents`;
}

function verb(agents: readonly AgentInfo[]): string {
  if (agents.length === 0) return "would see";
  return agents.length === 1 ? "sees" : "see";
}
