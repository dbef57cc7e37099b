import type { Frame } from "./frames.js";

/** What the two ends tell each other, besides the agents' conversations. */
export type Note =
  | { readonly kind: "ping" }
  /** The editor's end begins: what to announce, and the folders whose real paths it wants to know. */
  | ({ readonly kind: "hello"; readonly remotes: readonly string[] } & Announcement)
  /** The agents' end has announced it. */
  | ({ readonly kind: "ready" } & Ready)
  /** The editor has other folders now, or another name; or is back. */
  | ({ readonly kind: "announce" } & Announcement)
  /** The editor is gone for now. */
  | { readonly kind: "withdraw" }
  /** The agents' end cannot do it; the message says what to do. */
  | { readonly kind: "failed"; readonly message: string };

/** The editor, as agents at the other end are to see it. */
export interface Announcement {
  readonly ideName: string;
  readonly folders: readonly string[];
}

export interface Ready {
  readonly port: number;
  readonly lockFile: string;
  /** What is announced there: folders that exist, without links. */
  readonly folders: readonly string[];
  /** The remotes of the hello, in its order, without links. */
  readonly realRemotes: readonly string[];
}

export function noteFrame(note: Note): Frame {
  return { kind: "note", channel: 0, body: JSON.stringify(note) };
}

/** Null for what is no note, or one of another version: it is passed over. */
export function readNote(body: string): Note | null {
  let value: Record<string, unknown>;
  try {
    value = Object(JSON.parse(body));
  } catch {
    return null;
  }
  const valid =
    Object.hasOwn(SHAPES, String(value.kind)) && SHAPES[value.kind as Note["kind"]](value);
  return valid ? (value as Note) : null;
}

type Shape = (value: Record<string, unknown>) => boolean;

const isAnnouncement: Shape = ({ ideName, folders }) =>
  typeof ideName === "string" && isTexts(folders);

const SHAPES: Readonly<Record<Note["kind"], Shape>> = {
  ping: () => true,
  withdraw: () => true,
  failed: ({ message }) => typeof message === "string",
  announce: isAnnouncement,
  hello: (value) => isAnnouncement(value) && isTexts(value.remotes),
  ready: ({ port, lockFile, folders, realRemotes }) =>
    Number.isInteger(port) &&
    typeof lockFile === "string" &&
    isTexts(folders) &&
    isTexts(realRemotes),
};

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
