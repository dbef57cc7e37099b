import { Log } from "./log.js";

/** What every command takes that looks at editors. */
export const COMMON_OPTIONS = {
  json: { type: "boolean", default: false },
  quiet: { type: "boolean", default: false },
  verbose: { type: "boolean", default: false },
  log: { type: "string" },
  "config-dir": { type: "string" },
} as const;

export const COMMON_HELP = `  --json              print JSON, for scripts
  --quiet             no progress, and no remarks besides the result
  --verbose           say on standard error what is done, each message included
  --log FILE          append the same to FILE as JSON lines; tokens are left out
  --config-dir DIR    look in DIR/ide too`;

export const openLog = (values: { readonly verbose: boolean; readonly log?: string }): Log =>
  new Log({ verbose: values.verbose, file: values.log });
