import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** 256 bits that nobody can guess, in letters that need no escape in a URL or a cookie. */
export function newSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** What is kept of a secret: whoever reads it cannot get in with it. */
export function digestOf(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

/** Takes as long for a wrong secret as for a right one, whatever their lengths. */
export function matches(secret: string, digest: string): boolean {
  const given = Buffer.from(digestOf(secret));
  const expected = Buffer.from(digest);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
