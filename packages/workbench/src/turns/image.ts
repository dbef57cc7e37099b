/**
 * Where the bytes of a file are: `git:<object>`, one of the repository's own; `copy:<sha-256>`, one of
 * ours; or `none:<why>`, nowhere, with a sentence.
 */
export type Content = `git:${string}` | `copy:${string}` | `none:${string}`;

/** What was at a path at some moment; null for nothing. */
export type Image =
  | {
      readonly kind: "file";
      readonly mode: number;
      readonly size: number;
      readonly content: Content;
    }
  /** A symbolic link: never followed. */
  | { readonly kind: "link"; readonly target: string };

export function sameImage(a: Image | null, b: Image | null): boolean {
  return sameContent(a, b) && modeOf(a) === modeOf(b);
}

/** Whatever their permissions are. */
export function sameContent(a: Image | null, b: Image | null): boolean {
  if (a === null || b === null) return a === b;
  if (a.kind === "link" || b.kind === "link") {
    return a.kind === b.kind && a.kind === "link" && b.kind === "link" && a.target === b.target;
  }
  return a.content === b.content && !a.content.startsWith("none:");
}

/** Its permissions; null for what has none of its own. */
export const modeOf = (image: Image | null): number | null =>
  image?.kind === "file" ? image.mode : null;

/** Why its bytes are nowhere; null if they are somewhere. */
export function whyLost(image: Image | null): string | null {
  if (image?.kind !== "file" || !image.content.startsWith("none:")) return null;
  return image.content.slice("none:".length);
}

export const copyOf = (content: Content): string | null =>
  content.startsWith("copy:") ? content.slice("copy:".length) : null;
