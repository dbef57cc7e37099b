import type { Ide } from "@lockstep/client";
import { Log } from "./log.js";

/** For who wants to know what a command does. */
export const LOG_OPTIONS = {
  verbose: { type: "boolean", default: false },
  log: { type: "string" },
} as const;

export const LOG_HELP = `  --verbose           say on standard error what is done, each message included
  --log FILE          append the same to FILE as JSON lines; tokens are left out`;

/** What every command takes that looks at editors. */
export const COMMON_OPTIONS = {
  json: { type: "boolean", default: false },
  quiet: { type: "boolean", default: false },
  ...LOG_OPTIONS,
  "config-dir": { type: "string" },
} as const;

export const COMMON_HELP = `  --json              print JSON, for scripts
  --quiet             no progress, and no remarks besides the result
${LOG_HELP}
  --config-dir DIR    look in DIR/ide too`;

export const openLog = (values: { readonly verbose: boolean; readonly log?: string }): Log =>
  new Log({ verbose: values.verbose, file: values.log });

/** Writes down what was found; none of their tokens is ever in the log. */
export function noteIdes(log: Log, ides: readonly Ide[]): void {
  for (const ide of ides) log.hide(ide.token());
  for (const { port, name, pid, folders, lockFiles, problems } of ides)
    log.note("found", JSON.stringify({ port, name, pid, folders, lockFiles, problems }));
}
