import type { Abilities, Editor } from "./port.js";

/** The same editor with other abilities, such as `{ ...editor.abilities, diagnostics }`. */
export function withAbilities(editor: Editor, abilities: Abilities): Editor {
  return {
    get name() {
      return editor.name;
    },
    get folders() {
      return editor.folders;
    },
    abilities,
    subscribe: (listener) => editor.subscribe(listener),
    [Symbol.asyncDispose]: () => editor[Symbol.asyncDispose](),
  };
}
