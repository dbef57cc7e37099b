import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { FIRST_FILE, FIRST_WORD } from "./first-load.js";

/** The folders that are opened, made once for all rounds. */
export interface Projects {
  /** A small one, as most are: a few folders, some files. */
  readonly small: string;
  /** Files to type into and to propose for. */
  readonly large: string;
  /** `FOLDER` in it has a hundred thousand files. */
  readonly crowded: string;
}

export const TYPING_FILE = "typing.ts";
export const FOLDER = "many";
export const FILES = 100_000;

const MEGABYTE = 1_000_000;
/** How many files are written at a time. */
const AT_ONCE = 500;

export async function makeProjects(folder: string): Promise<Projects> {
  const small = await made(folder, "small");
  for (const name of ["docs", "src", "test"]) {
    await mkdir(join(small, name));
    await writeFile(join(small, name, "index.ts"), "export {};\n");
  }
  await writeFile(join(small, FIRST_FILE), `export const ${FIRST_WORD} = "shines";\n`.repeat(20));
  const large = await made(folder, "large");
  await writeFile(join(large, TYPING_FILE), lines(MEGABYTE).join("\n"));
  const crowded = await made(folder, "crowded");
  await mkdir(join(crowded, FOLDER));
  for (let from = 0; from < FILES; from += AT_ONCE) {
    const names = Array.from({ length: AT_ONCE }, (_, index) => fileName(from + index));
    await Promise.all(names.map((name) => writeFile(join(crowded, FOLDER, name), "")));
  }
  return { small, large, crowded };
}

/** The files of the crowded folder, in the order of the tree. */
export const fileName = (index: number): string => `file-${String(index).padStart(6, "0")}.txt`;

/** Code of so many bytes, no two lines alike. */
export function lines(bytes: number): string[] {
  const made: string[] = [];
  for (let length = 0; length < bytes; length += (made.at(-1)?.length ?? 0) + 1) {
    const at = made.length;
    made.push(
      at % 10 === 0
        ? `export function tide${at}(hours: number): number {`
        : at % 10 === 9
          ? "}"
          : `  const depth${at} = hours * ${at} + Math.sin(${at % 360}); // at the "pier"`,
    );
  }
  return made;
}

async function made(folder: string, name: string): Promise<string> {
  const path = join(folder, name);
  await mkdir(path);
  return path;
}
