import { chmod, lstat, unlink } from "node:fs/promises";
import { isListening } from "@lockstep/client";
import type { Finding, Remedy } from "./finding.js";

/** What was done, as sentences. */
export async function fix(findings: readonly Finding[]): Promise<readonly string[]> {
  const done: string[] = [];
  for (const { remedy } of findings) {
    const sentence = remedy && (await apply(remedy).catch((error: Error) => failed(remedy, error)));
    if (sentence) done.push(sentence);
  }
  return done;
}

async function apply(remedy: Remedy): Promise<string | null> {
  if (remedy.kind === "close") {
    const stats = await lstat(remedy.path);
    // What is not ours, or a link to somewhere else, is left alone.
    if (stats.isSymbolicLink() || (process.getuid && stats.uid !== process.getuid())) return null;
    await chmod(remedy.path, remedy.mode);
    return `Closed ${remedy.path} to others (mode ${remedy.mode.toString(8)}).`;
  }
  // Somebody may have started meanwhile.
  if (await isListening(remedy.port)) return null;
  await unlink(remedy.lockFile);
  return `Removed ${remedy.lockFile}, which its editor left behind.`;
}

const failed = (remedy: Remedy, { message }: Error): string =>
  `Could not ${remedy.kind === "close" ? `close ${remedy.path}` : `remove ${remedy.lockFile}`}: ${message}`;
