import { ownAbilities } from "./own-abilities.js";
import type { Abilities, Editor } from "./port.js";

/**
 * The same editor with other abilities, made anew from its own whenever those change.
 *
 * @example
 * withAbilities(editor, (own) => ({ ...own, diagnostics: myLinter }));
 */
export function withAbilities(editor: Editor, change: (own: Abilities) => Abilities): Editor {
  let own = editor.abilities;
  let changed = change(ownAbilities(own));
  return {
    get name() {
      return editor.name;
    },
    get folders() {
      return editor.folders;
    },
    get abilities() {
      if (own !== editor.abilities) {
        own = editor.abilities;
        changed = change(ownAbilities(own));
      }
      return changed;
    },
    subscribe: (listener) => editor.subscribe(listener),
    [Symbol.asyncDispose]: () => editor[Symbol.asyncDispose](),
  };
}
