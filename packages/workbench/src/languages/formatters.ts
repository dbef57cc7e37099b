import { open, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Command } from "./link.js";
import { isProgram } from "./programs.js";
import { findAbove, foldersAbove, readObject } from "./project-files.js";

/** A program that takes a text and gives it back formatted. */
export interface Formatter {
  /** For people, such as "this project's Prettier". */
  readonly name: string;
  readonly command: Command;
  readonly cwd: string;
  /** What it says, and how it ends, where it does not know the kind of file. */
  readonly isUnknown: (complaint: string) => boolean;
  /** How it is told to format a part only, by offsets; null if it cannot. */
  readonly part: ((from: number, to: number) => readonly string[]) | null;
}

const BIOME_CONFIGS = ["biome.json", "biome.jsonc", ".biome.json", ".biome.jsonc"];
const PRETTIER_CONFIGS = [
  ".prettierrc",
  ...["json", "yaml", "yml", "json5", "toml", "js", "cjs", "mjs", "ts", "cts", "mts"].flatMap(
    (end) => [`.prettierrc.${end}`, `prettier.config.${end}`],
  ),
];

/** What Prettier's own settings are called, and nothing that names a file or a module. */
const PRETTIER_OPTIONS: Readonly<Record<string, string>> = {
  printWidth: "--print-width",
  tabWidth: "--tab-width",
  useTabs: "--use-tabs",
  semi: "--semi",
  singleQuote: "--single-quote",
  jsxSingleQuote: "--jsx-single-quote",
  quoteProps: "--quote-props",
  trailingComma: "--trailing-comma",
  bracketSpacing: "--bracket-spacing",
  bracketSameLine: "--bracket-same-line",
  objectWrap: "--object-wrap",
  arrowParens: "--arrow-parens",
  proseWrap: "--prose-wrap",
  htmlWhitespaceSensitivity: "--html-whitespace-sensitivity",
  singleAttributePerLine: "--single-attribute-per-line",
};

/**
 * The project's own Biome or Prettier: installed in the project, and either set up there or named
 * among what the project needs. Null if it has none. It is the project's code, so it must be allowed
 * before it is run.
 */
export async function projectFormatter(path: string, root: string): Promise<Formatter | null> {
  const folders = foldersAbove(path, root);
  const biome = await installed("biome", "@biomejs/biome", folders, BIOME_CONFIGS);
  if (biome) {
    return {
      ...biome,
      name: "this project's Biome",
      command: withArgs(biome.command, ["format", `--stdin-file-path=${path}`]),
      isUnknown: (complaint) => /unhandled file|not supported|ignored/i.test(complaint),
      part: null,
    };
  }
  const prettier = await installed("prettier", "prettier", folders, PRETTIER_CONFIGS);
  if (!prettier) return null;
  return {
    ...prettier,
    name: "this project's Prettier",
    command: withArgs(prettier.command, ["--stdin-filepath", path]),
    isUnknown: isUnknownToPrettier,
    part: prettierPart,
  };
}

/**
 * The Prettier that comes with Lockstep. Of the project's settings it takes those that are plain
 * values in a JSON file; it loads nothing that the project could bring.
 */
export async function bundledPrettier(
  path: string,
  root: string,
  usual: { readonly tabWidth: number; readonly useTabs: boolean },
): Promise<Formatter> {
  const folders = foldersAbove(path, root);
  const file = await findAbove(folders, [".prettierrc", ".prettierrc.json"]);
  const options = { ...usual, ...((file && (await readObject(file))) ?? {}) };
  const flags = Object.entries(options).flatMap(([name, value]) => {
    const flag = PRETTIER_OPTIONS[name];
    if (!flag || !["string", "number", "boolean"].includes(typeof value)) return [];
    return value === false ? [flag.replace("--", "--no-")] : [`${flag}=${value}`];
  });
  const main = import.meta.resolve("prettier");
  const script = fileURLToPath(new URL("bin/prettier.cjs", main));
  const always = ["--no-config", "--no-editorconfig", "--ignore-path=/dev/null", "--no-cache"];
  const args = [script, ...always, ...flags, "--stdin-filepath", path];
  return {
    name: "Prettier",
    command: { program: process.execPath, args },
    // It looks for its settings from here on, and finds none.
    cwd: dirname(script),
    isUnknown: isUnknownToPrettier,
    part: prettierPart,
  };
}

const isUnknownToPrettier = (complaint: string): boolean =>
  /No parser could be inferred|UndefinedParserError/.test(complaint);

const prettierPart = (from: number, to: number): readonly string[] => [
  `--range-start=${from}`,
  `--range-end=${to}`,
];

async function installed(
  bin: string,
  packageName: string,
  folders: readonly string[],
  configs: readonly string[],
): Promise<{ readonly command: Command; readonly cwd: string } | null> {
  for (const folder of folders) {
    const path = join(folder, "node_modules", ".bin", bin);
    if (!(await isProgram(path))) continue;
    const isSetUp =
      (await findAbove(folders, configs)) !== null || (await isNeeded(packageName, folder));
    return isSetUp ? { command: await commandOf(path), cwd: folder } : null;
  }
  return null;
}

async function isNeeded(packageName: string, folder: string): Promise<boolean> {
  const manifest = await readObject(join(folder, "package.json"));
  return ["dependencies", "devDependencies", "prettier"].some((field) => {
    const names = manifest?.[field];
    return typeof names === "object" && names !== null && Object.hasOwn(names, packageName);
  });
}

/** A script of Node's is run by the Node that runs Lockstep: there may be no other. */
async function commandOf(path: string): Promise<Command> {
  const real = await realpath(path);
  const handle = await open(real);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(64), 0, 64, 0);
    const isNode = /^#!.*\bnode\b/.test(buffer.toString("utf8", 0, bytesRead));
    return isNode ? { program: process.execPath, args: [real] } : { program: real, args: [] };
  } finally {
    await handle.close();
  }
}

const withArgs = ({ program, args }: Command, more: readonly string[]): Command => ({
  program,
  args: [...args, ...more],
});
