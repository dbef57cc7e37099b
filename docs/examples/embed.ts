/** An editor of your own, served to coding agents. */
import {
  type Abilities,
  Changes,
  type Editor,
  type Outcome,
  type Proposal,
  type Range,
  textIn,
} from "@lockstep/editor";
import { fileUri } from "@lockstep/protocol";
import { serve } from "@lockstep/server";

/** What your editor has already: a document with a cursor, and a view of differences. */
declare const document: { path: string; text: string; range: Range };
declare const diffView: {
  /** Resolves when the person has decided; closing the view is a no. */
  show(proposal: Proposal): Promise<Outcome>;
  /** Takes the view away and gives the text as the person left it. */
  hide(proposalId: string): Promise<string>;
};

const changes = new Changes();
const abilities: Abilities = {
  async selection() {
    const { path, text, range } = document;
    return { uri: fileUri(path), range, text: textIn(text, range) };
  },
  review: (proposal) => ({
    outcome: diffView.show(proposal),
    withdraw: () => diffView.hide(proposal.id),
  }),
};

const editor: Editor = {
  name: "Kale",
  folders: [fileUri("/home/ada/project")],
  abilities,
  subscribe: (listener) => changes.subscribe(listener),
  async [Symbol.asyncDispose]() {},
};

const server = await serve(editor);
console.log(`In the project's folder: claude --ide (port ${server.port})`);

/** Call this from your editor's cursor event, however often it fires. */
export function onCursorMoved(range: Range): void {
  document.range = range;
  changes.tell({ kind: "selection" });
}

/** For each terminal that your editor opens. */
export function terminalEnvironment(): NodeJS.ProcessEnv {
  return { ...process.env, ...server.environment() };
}
