/** What a token becomes in what is written down. */
export const REDACTED = "[token]";

/** Begins with what is rare: what may repeat without end would be tried at each place. */
const IN_A_LOCK = /(authToken\\*"\s*:\s*\\*")[^"\\]+/g;

/**
 * A text without the token of a lock file that somebody looks at, whoever has written it and when; also
 * where it is JSON in a JSON text.
 */
export function withoutLockTokens(text: string): string {
  if (!text.includes("authToken")) return text;
  return text.replace(IN_A_LOCK, (_, before) => before + REDACTED);
}
