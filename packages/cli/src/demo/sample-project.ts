import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** A small program that tells when a harbour's water is deep enough, with something to improve. */
const FILES: Readonly<Record<string, string>> = {
  "README.md": `# Harbour

Tells when a ship can enter the harbour.

- \`src/tide.ts\` knows the water
- \`src/ship.ts\` knows the ships
- \`src/report.ts\` says it in words
- \`tides.ipynb\` draws a day

This is the sample project of \`lockstep demo\`. Change whatever you like: it is a copy in a
temporary folder.
`,
  "package.json": `{
  "name": "harbour",
  "private": true,
  "type": "module"
}
`,
  "tsconfig.json": `{
  "compilerOptions": {
    "strict": true,
    "module": "nodenext",
    "noEmit": true
  },
  "include": ["src"]
}
`,
  "tides.ipynb": `{
 "cells": [
  {
   "cell_type": "markdown",
   "id": "about",
   "metadata": {},
   "source": [
    "# A day's water\\n",
    "Run the cell below with Shift+Enter. The agent can use the same kernel, once you let it."
   ]
  },
  {
   "cell_type": "code",
   "execution_count": null,
   "id": "depths",
   "metadata": {},
   "outputs": [],
   "source": [
    "from math import pi, sin\\n",
    "\\n",
    "def depth(hour):\\n",
    "    return 6 + 2.5 * sin(hour / 12.4 * 2 * pi)\\n",
    "\\n",
    "for hour in range(0, 24, 3):\\n",
    "    print(f'{hour:2}:00  {depth(hour):4.1f} m  ' + '~' * round(depth(hour) * 4))"
   ]
  }
 ],
 "metadata": {
  "kernelspec": {
   "display_name": "Python 3",
   "language": "python",
   "name": "python3"
  },
  "language_info": {
   "name": "python"
  }
 },
 "nbformat": 4,
 "nbformat_minor": 5
}
`,
  ".gitignore": `node_modules/
*.log
`,
  ".env": `# Agents are never told what is selected in here.
HARBOUR_KEY=swordfish
`,
  "src/tide.ts": `/** Metres above the harbour's ground, by the hour. */
export function depth(hour) {
  const mean = 6;
  const range = 2.5;
  return mean + range * Math.sin((hour / 12.4) * 2 * Math.PI);
}

/** The hours of a day at which the water is at least that deep. */
export function hoursDeeperThan(metres) {
  var hours = [];
  for (var hour = 0; hour < 24; hour++) {
    if (depth(hour) > metres) {
      hours.push(hour);
    }
  }
  return hours;
}

/** The next hour from now on, or nothing. */
export function nextHour(metres, now) {
  return hoursDeeperThan(metres).filter((hour) => hour >= now)[0];
}
`,
  "src/ship.ts": `export interface Ship {
  readonly name: string;
  /** Metres below the water. */
  readonly draught: number;
}

export const FLEET: readonly Ship[] = [
  { name: "Ada", draught: 4.2 },
  { name: "Grace", draught: 6.8 },
  { name: "Edsger", draught: 8.1 },
];
`,
  "src/report.ts": `import { FLEET } from "./ship.js";
import { nextHour } from "./tide.js";

export function report(now: number): string {
  return FLEET.map(({ name, draught }) => {
    const hour = nextHour(draught, now);
    return hour === undefined ? \`\${name} waits\` : \`\${name} enters at \${hour}:00\`;
  }).join("\\n");
}
`,
};

/** What the demo's agent would like the files to be. */
export const PROPOSALS = {
  tide: {
    file: "src/tide.ts",
    text: `/** Metres above the harbour's ground, by the hour. */
export function depth(hour: number): number {
  const mean = 6;
  const range = 2.5;
  return mean + range * Math.sin((hour / 12.4) * 2 * Math.PI);
}

/** The hours of a day at which the water is at least that deep. */
export function hoursDeeperThan(metres: number): readonly number[] {
  const day = Array.from({ length: 24 }, (_, hour) => hour);
  return day.filter((hour) => depth(hour) >= metres);
}

/** The next hour from now on, or nothing. */
export function nextHour(metres: number, now: number): number | undefined {
  return hoursDeeperThan(metres).find((hour) => hour >= now);
}
`,
  },
  report: {
    file: "src/report.ts",
    text: `import { FLEET, type Ship } from "./ship.js";
import { nextHour } from "./tide.js";

export function report(now: number): string {
  return FLEET.map((ship) => line(ship, now)).join("\\n");
}

function line({ name, draught }: Ship, now: number): string {
  const hour = nextHour(draught, now);
  return hour === undefined ? \`\${name} waits\` : \`\${name} enters at \${hour}:00\`;
}
`,
  },
  test: {
    file: "src/tide.test.ts",
    text: `import assert from "node:assert/strict";
import { test } from "node:test";
import { depth, hoursDeeperThan } from "./tide.js";

test("the water is never shallower than at ebb", () => {
  for (const hour of hoursDeeperThan(0)) assert.ok(depth(hour) >= 3.5);
});

test("no hour is deep enough for a ship that is too deep", () => {
  assert.deepEqual(hoursDeeperThan(9), []);
});
`,
  },
} as const;

/** What the demo's agent writes without asking, as agents do that were told to go on. */
export const TURN = {
  "src/ship.ts": `export interface Ship {
  readonly name: string;
  /** Metres below the water. */
  readonly draught: number;
  /** Metres from bow to stern. */
  readonly length: number;
}

export const FLEET: readonly Ship[] = [
  { name: "Ada", draught: 4.2, length: 80 },
  { name: "Grace", draught: 6.8, length: 140 },
  { name: "Edsger", draught: 8.1, length: 210 },
];
`,
  "src/quay.ts": `import type { Ship } from "./ship.js";

/** Metres of wall that ships can lie at. */
const QUAY = 300;

export function fits(ships: readonly Ship[]): boolean {
  return ships.reduce((sum, { length }) => sum + length, 0) <= QUAY;
}
`,
} as const;

/** What it runs in the notebook's kernel. */
export const CODE = `best = max(range(24), key=lambda hour: 6 + 2.5 * __import__("math").sin(hour / 12.4 * 6.28318))
print(f"The water is deepest at {best}:00")`;

export async function writeSampleProject(folder: string): Promise<void> {
  for (const [name, text] of Object.entries(FILES)) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
}
