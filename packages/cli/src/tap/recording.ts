/**
 * A recording is JSON lines: the first is a {@link Heading}, each other one an {@link Entry}, in the
 * order in which the tap saw them. Tokens are never in it.
 */
export interface Heading {
  readonly lockstep: "recording";
  readonly version: 1;
  readonly startedAt: string;
  readonly ide: { readonly name: string; readonly folders: readonly string[] };
  /** What was started, and the variables that it was given; empty where the tap only waited. */
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/** Who sent it. What the tap itself has to say is from `tap`. */
export type Sender = "agent" | "ide" | "tap";

interface Moment {
  /** Milliseconds since the recording began. */
  readonly at: number;
  readonly time: string;
  /** Numbered from 1, in the order of the agents' coming; 0 for what belongs to none. */
  readonly connection: number;
  readonly from: Sender;
}

/** What happened, apart from when and between whom. */
export type Happening =
  /** The upgrade: what the agent asked for, or what the editor answered. */
  | {
      readonly kind: "open";
      readonly subprotocol: string;
      readonly headers: Readonly<Record<string, string>>;
    }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "binary" | "ping" | "pong"; readonly base64: string }
  /** 1005 means that no code was given, 1006 that the connection ended without a word. */
  | { readonly kind: "close"; readonly code: number; readonly reason: string }
  | { readonly kind: "note"; readonly text: string };

export type Entry = Moment & Happening;

export interface Recording {
  readonly heading: Heading;
  readonly entries: readonly Entry[];
  /** The recording ends in the middle of a line: the tap was killed, or the disk was full. */
  readonly torn: boolean;
}

/** Stands for the first folder of the workspace in a portable recording; others are numbered from 2. */
export const WORKSPACE = "$WORKSPACE";
export const HOME = "$HOME";

export function placeholder(index: number): string {
  return index === 0 ? WORKSPACE : `${WORKSPACE}${index + 1}`;
}
