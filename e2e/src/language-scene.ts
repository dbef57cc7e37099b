/** A small TypeScript project: two modules and one that uses them. */
export const tideProject = {
  "package.json": '{ "name": "tide", "type": "module" }\n',
  "tsconfig.json":
    '{ "compilerOptions": { "strict": true, "module": "nodenext", "target": "es2022" }, "include": ["src"] }\n',
  "src/tide.ts": [
    "/** Where the water stands. See [the tables](https://tides.example/). */",
    "export function tideAt(hour: number): number {",
    "  return Math.sin(hour / 12) * 3;",
    "}",
    "",
    "export function pour(into: string): void;",
    "export function pour(into: string, litres: number): void;",
    "export function pour(into: string, litres = 1): void {",
    "  console.log(into, litres);",
    "}",
    "",
  ].join("\n"),
  "src/shore.ts": [
    'import { tideAt } from "./tide.js";',
    "",
    "export class Shore {",
    "  measure(hour: number): string {",
    "    return tideAt(hour).toFixed(2);",
    "  }",
    "}",
    "",
  ].join("\n"),
  "src/harbour.ts": [
    'import { Shore } from "./shore.js";',
    "",
    "export const north = new Shore();",
    "",
  ].join("\n"),
} as const;
