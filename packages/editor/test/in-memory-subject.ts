import { fileUri, type Uri } from "@lockstep/protocol";
import type { Person, Subject } from "../src/contract/index.js";
import { InMemoryEditor, toLf } from "../src/index.js";

const FOLDER = "/workspace";

/** The in-memory editor, its files, and somebody in front of it. */
export function inMemorySubject(): Subject & { readonly editor: InMemoryEditor } {
  const files = new Map<Uri, string>();
  let answer = false;
  const editor = new InMemoryEditor({
    folders: [FOLDER],
    load: async (uri) => files.get(uri) ?? null,
    store: async (uri, text) => void files.set(uri, text),
    formatter: async (text) => `${text.trim()}\n`,
    answer: async () => answer,
  });
  const person: Person = {
    open: async (uri) => editor.open(uri, files.get(uri) ?? ""),
    type: async (uri, text) => editor.type(uri, text),
    select: async (uri, range) => editor.select(uri, range),
    mention: async (uri, lines) => editor.mention(uri, lines),
    proposals: (count) =>
      new Promise((resolve) => {
        const look = () => {
          if (editor.proposals.length !== count) return;
          watching[Symbol.dispose]();
          resolve(editor.proposals);
        };
        const watching = editor.watch(look);
        look();
      }),
    draft: async (id, text) => editor.draft(id, text),
    accept: async (id) => editor.accept(id),
    reject: async (id, reason) => editor.reject(id, reason),
    answerQuestions: async (yes) => {
      answer = yes;
    },
    takeBack: async () => editor.takeBack(),
  };
  return {
    editor,
    person,
    missingFile: (name) => fileUri(`${FOLDER}/${name}`),
    async file(name, text) {
      const uri = fileUri(`${FOLDER}/${name}`);
      files.set(uri, toLf(text));
      return uri;
    },
    [Symbol.asyncDispose]: () => editor[Symbol.asyncDispose](),
  };
}
