import * as z from "zod/mini";
import { holdsPath } from "./path-fields.js";

/** Some editors write a number as text; the CLI takes that. */
const numberInWords = z.pipe(z.string().check(z.regex(/^\d+$/)), z.transform(Number));

/**
 * The contents of `<port>.lock`. Only `transport` decides whether the CLI connects at all, so the
 * rest is optional: other editors leave out `authToken` (no token is then sent) or `ideName`.
 */
export const LockFile = z.object({
  pid: z.optional(z.union([z.number(), numberInWords])),
  workspaceFolders: z._default(z.array(holdsPath(z.string())), []),
  ideName: z.optional(z.string()),
  transport: z.optional(z.string()),
  runningInWindows: z.optional(z.boolean()),
  authToken: z.optional(z.string()),
});
export type LockFile = z.infer<typeof LockFile>;

/** The port that a lock file's name announces; null for any other name. */
export function lockFilePort(fileName: string): number | null {
  const digits = /^([1-9]\d{0,4})\.lock$/.exec(fileName)?.[1];
  const port = Number(digits);
  return digits !== undefined && port <= 65535 ? port : null;
}

/** The header that carries a lock file's token, in lower case. */
export const AUTH_HEADER = "x-claude-code-ide-authorization";

/** The WebSocket subprotocol; the CLI hangs up on a server that does not select it. */
export const SUBPROTOCOL = "mcp";
