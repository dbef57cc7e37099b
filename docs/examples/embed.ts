/** An editor of your own, served to coding agents. */
import { type Abilities, Changes, type Editor, type Range } from "@lockstep/editor";
import { fileUri, type Uri } from "@lockstep/protocol";
import { serve } from "@lockstep/server";

/** Your editor's own model: one document, which a person selects text in. */
const document = { path: "/home/ada/project/notes.md", text: "# Notes\n", range: emptyRange() };

const changes = new Changes();
const abilities: Abilities = {
  async selection() {
    return { uri: uriOf(document), range: document.range, text: "" };
  },
  review(proposal) {
    return {
      // Show proposal.base and proposal.text side by side, and wait for the person.
      outcome: askPerson(proposal.text),
      // Take the view away: the question was answered elsewhere.
      withdraw: async () => proposal.text,
    };
  },
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

function uriOf({ path }: { path: string }): Uri {
  return fileUri(path);
}

function emptyRange(): Range {
  return { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
}

async function askPerson(text: string) {
  return { kind: "accepted", text } as const;
}
