import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, mkdir, open, realpath, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { printable } from "@lockstep/protocol";
import type { Settings } from "../contract/settings.js";
import { WorkbenchError } from "../errors.js";
import { entryLines, jsonFault } from "./json-fault.js";
import { checkSettings, type SettingName } from "./settings-rules.js";

/** Bytes. Settings are far smaller; a larger file is a mistake, or an attack. */
const LARGEST = 256 * 1024;
const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = constants;

export type Scope = "user" | "project";

export interface SettingsReading {
  readonly settings: Settings;
  /** Sentences that say where and what. */
  readonly problems: readonly string[];
  /** Whether an entry may be written: no part of the file would be lost. */
  readonly sound: boolean;
  /** As it is on the disk; null where there is no file. */
  readonly text: string | null;
}

const NONE: SettingsReading = { settings: {}, problems: [], sound: true, text: null };

/** Reads and checks a file of settings. Never fails: what is wrong is in `problems`. */
export async function readSettings(path: string, scope: Scope): Promise<SettingsReading> {
  let text: string | null;
  try {
    text = await readText(path, scope);
  } catch (problem) {
    const why = problem instanceof WorkbenchError ? problem.message : `cannot be read: ${problem}`;
    return { ...NONE, problems: [`${path} ${why}`], sound: false };
  }
  if (text === null) return NONE;
  if (text.trim() === "") return { ...NONE, text };
  const unsound = (problems: readonly string[]) => ({ settings: {}, problems, sound: false, text });
  const fault = jsonFault(text);
  if (fault) return unsound([`${path}, line ${fault.line}: ${fault.what}.`]);
  const parsed: unknown = JSON.parse(text);
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed))
    return unsound([`${path}, line 1: settings must stand between { and }.`]);
  const { settings, wrong, barred } = checkSettings(parsed as Record<string, unknown>, scope);
  const lines = entryLines(text);
  const problems = [...wrong, ...barred].map(
    ({ entry, what }) =>
      `${path}, line ${lines.get(entry) ?? 1}: “${printable(entry.slice(0, 80))}” ${what}.`,
  );
  return wrong.length > 0 ? unsound(problems) : { settings, problems, sound: true, text };
}

/** Sets or takes out (null) one entry and keeps the rest: order, indentation, `$schema`. */
export async function writeSetting(
  path: string,
  scope: Scope,
  name: SettingName,
  value: unknown,
): Promise<void> {
  const before = await readSettings(path, scope);
  if (!before.sound)
    throw new WorkbenchError(`${before.problems[0]} Put that right first; nothing was changed.`);
  const text = before.text ?? "";
  const entries: Record<string, unknown> = text.trim() === "" ? {} : JSON.parse(text);
  if (value === null) delete entries[name];
  else entries[name] = value;
  if (value === null && before.text === null) return;
  const indent = /^\s*\{[ \t]*\r?\n([ \t]+)"/.exec(text)?.[1] ?? "  ";
  const lf = `${JSON.stringify(entries, null, indent)}\n`;
  await replaceFile(path, text.includes("\r\n") ? lf.replaceAll("\n", "\r\n") : lf);
}

/** The person's own file may be a link into their dotfiles; one in a project could lead anywhere. */
async function readText(path: string, scope: Scope): Promise<string | null> {
  let file: FileHandle;
  try {
    // Opening a FIFO to read it would wait for a writer.
    file = await open(path, O_RDONLY | O_NONBLOCK | (scope === "project" ? O_NOFOLLOW : 0));
  } catch (problem) {
    const { code } = problem as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    if (code === "ELOOP")
      throw new WorkbenchError("is a symbolic link, which is not followed in a project.");
    if (code === "ENXIO") throw new WorkbenchError("is not a file. Move it out of the way.");
    throw new WorkbenchError(`cannot be read (${code}). Check its permissions.`);
  }
  try {
    const about = await file.stat();
    if (!about.isFile()) throw new WorkbenchError("is not a file. Move it out of the way.");
    if (about.size > LARGEST)
      throw new WorkbenchError(`is larger than ${LARGEST / 1024} KB, too large for settings.`);
    const bytes = Buffer.alloc(LARGEST + 1);
    const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
    return decode(bytes.subarray(0, bytesRead));
  } finally {
    await file.close();
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new WorkbenchError("is not UTF-8 text. Save it as UTF-8.");
  }
}

/** All of it or nothing, even when the machine stops in between. */
async function replaceFile(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const target = await realpath(path).catch(() => path);
  const draft = join(dirname(target), `.lockstep-${randomUUID()}.tmp`);
  try {
    const mode = await modeOf(target);
    const file = await open(draft, "wx", mode);
    try {
      await file.chmod(mode);
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, target);
  } catch (problem) {
    await rm(draft, { force: true });
    const { code } = problem as NodeJS.ErrnoException;
    throw new WorkbenchError(`${path} cannot be written (${code}). Check its permissions.`);
  }
}

async function modeOf(path: string): Promise<number> {
  const file = await open(path, O_RDONLY | O_NONBLOCK).catch(() => null);
  if (!file) return 0o644;
  try {
    return (await file.stat()).mode & 0o777;
  } finally {
    await file.close();
  }
}
