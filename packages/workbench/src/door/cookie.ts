/** Browsers send cookies to all ports of a host, so each door has a name of its own. */
const nameOf = (port: number) => `lockstep-${port}`;

/** Longer than a key lives without use; each load of the page renews it. */
const MAX_AGE_SECONDS = 30 * 24 * 60 * 60;

/** The header that leaves a key with a browser, out of reach of scripts and of other sites. */
export function keyCookie(port: number, key: string): string {
  return `${nameOf(port)}=${key}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${MAX_AGE_SECONDS}`;
}

/**
 * The keys that a browser shows: more than one if another server of this machine has left a cookie
 * of the same name, which must not keep anybody out.
 */
export function shownKeys(cookies: string | undefined, port: number): readonly string[] {
  const start = `${nameOf(port)}=`;
  return (cookies ?? "")
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(start))
    .map((pair) => pair.slice(start.length))
    .slice(0, 4);
}
