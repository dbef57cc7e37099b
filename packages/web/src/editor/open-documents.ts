import { RpcError, type Uri } from "@lockstep/protocol";
import { createEffect, createRoot } from "solid-js";
import { call, on } from "../replica/link.js";
import { replica } from "../replica/state.js";
import { type DocumentListener, OpenDocument } from "./open-document.js";

const documents = new Map<Uri, Promise<OpenDocument>>();

/** The document, attached to the workbench's text. Fails with a sentence where it cannot be shown. */
export function openDocument(uri: Uri, listener: DocumentListener): Promise<OpenDocument> {
  const known = documents.get(uri);
  if (known) return known;
  const opening = attach(uri).then((snapshot) => new OpenDocument(uri, snapshot, listener));
  documents.set(uri, opening);
  opening.catch(() => documents.delete(uri));
  return opening;
}

/** What a window shows after a reload may have been closed meanwhile: then it is opened again. */
async function attach(uri: Uri) {
  try {
    return await call("text.attach", { name: uri });
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    await call("tab.open", { uri, preview: true });
    return call("text.attach", { name: uri });
  }
}

on("document.renamed", ({ from, to }) => {
  const opening = documents.get(from);
  if (!opening) return;
  documents.delete(from);
  documents.set(to, opening);
  opening.then((document) => document.rename(to)).catch(() => documents.delete(to));
});

/** Lets go of documents that the workbench has closed, unless they have edits it does not know. */
createRoot(() => {
  createEffect(() => {
    const there = replica()?.documents;
    if (!there) return;
    const names = new Set(Object.keys(there));
    for (const [uri, opening] of documents) if (!names.has(uri)) void close(uri, opening);
  });
});

async function close(uri: Uri, opening: Promise<OpenDocument>): Promise<void> {
  const document = await opening.catch(() => null);
  if (!document || document.unsent) return;
  // Closed and opened again meanwhile: it is another text by the same name.
  if (isThere(uri)) return document.attachAnew();
  if (documents.get(uri) === opening) documents.delete(uri);
  document.dispose();
}

const isThere = (uri: Uri): boolean => uri in (replica()?.documents ?? {});
