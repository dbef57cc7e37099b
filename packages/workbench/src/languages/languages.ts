import type { languageCalls } from "../contract/languages.js";
import { WorkbenchError } from "../errors.js";
import type { Handlers } from "../windows/router.js";

const refuse = () => {
  throw new WorkbenchError("No language server is running.");
};

/** What language servers know of the documents and files. */
export class Languages {
  readonly handlers: Handlers<typeof languageCalls> = {
    "language.complete": () => ({ list: 0, items: [], incomplete: false }),
    "language.completion": refuse,
    "language.hover": () => null,
    "language.signature": () => null,
    "language.definition": () => [],
    "language.references": () => [],
    "language.nameAt": () => null,
    "language.rename": refuse,
    "language.symbols": () => [],
    "language.actions": () => [],
    "language.act": refuse,
    "language.format": refuse,
    "language.restart": refuse,
  };
}
