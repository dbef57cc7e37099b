import { printable } from "@lockstep/protocol";
import type { Ready } from "./notes.js";
import type { FolderPair } from "./path-map.js";
import type { WatchedIde } from "./watched-ide.js";

/** What every kind of relay is given at the editor's end. */
export interface Relaying {
  readonly watched: WatchedIde;
  readonly pairs: readonly FolderPair[] | null;
  /** Resolves when the person wants it to end. */
  readonly stopping: Promise<void>;
  /** One line for scripts, instead of sentences for people. */
  readonly json: boolean;
  readonly say: (text: string) => unknown;
  /** Told of what passes, as the editor is told it and tells it. */
  readonly onMessage: (direction: "sent" | "received", text: string) => void;
}

/** Says where agents find the editor now. */
export function sayReady(
  { port, lockFile, folders }: Ready,
  name: string,
  place: string,
  { json, say }: Pick<Relaying, "json" | "say">,
): void {
  if (json) {
    const workspaceFolders = folders.map(printable);
    console.log(JSON.stringify({ port, lockFile, workspaceFolders }));
    return;
  }
  say(`${name} is announced ${place}, on port ${port}, for agents in ${folders.join(", ")}.`);
  say(`There: claude --ide, or CLAUDE_CODE_SSE_PORT=${port} claude. Stop with Ctrl+C.`);
}
