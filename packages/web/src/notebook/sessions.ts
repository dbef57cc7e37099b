import type { Uri } from "@lockstep/protocol";
import { createEffect, createRoot } from "solid-js";
import { on } from "../replica/link.js";
import { replica } from "../replica/state.js";
import type { CellListener } from "./open-cell.js";
import { NotebookSession } from "./session.js";

const sessions = new Map<Uri, NotebookSession>();

/** The notebook as this window has it, from the first time it is shown until it is closed. */
export function notebookSession(uri: Uri, listener: CellListener): NotebookSession {
  const session = sessions.get(uri) ?? new NotebookSession(uri, listener);
  sessions.set(uri, session);
  return session;
}

on("document.renamed", ({ from, to }) => {
  const session = sessions.get(from);
  if (!session) return;
  sessions.delete(from);
  sessions.set(to, session);
  session.rename(to);
});

/** Lets go of notebooks that the workbench has closed, unless they have edits it does not know. */
createRoot(() => {
  createEffect(() => {
    const there = replica()?.notebooks;
    if (!there) return;
    const names = new Set(Object.keys(there));
    for (const [uri, session] of sessions) if (!names.has(uri)) void close(uri, session);
  });
});

async function close(uri: Uri, session: NotebookSession): Promise<void> {
  if (await session.hasUnsent()) return;
  if (uri in (replica()?.notebooks ?? {})) return session.attach();
  if (sessions.get(uri) === session) sessions.delete(uri);
  session.dispose();
}
