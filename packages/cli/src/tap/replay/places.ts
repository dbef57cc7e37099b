import { homedir } from "node:os";
import { HOME, placeholder, WORKSPACE } from "../recording.js";
import { Redaction, wholePath } from "../redaction.js";

/** The folders of a recording, and those of here that take their place. */
export class Places {
  readonly #pairs: readonly (readonly [recorded: string, here: string])[];
  readonly #ofRecording = new Redaction();
  readonly #ofHere = new Redaction();

  constructor(recorded: readonly string[], here: readonly string[]) {
    const [first = ""] = here;
    const names = recorded.length > 0 ? recorded : [WORKSPACE];
    const folders = names.map((name, index) => [name, here[index] ?? first] as const);
    const encoded = folders.map(([name, path]) => [encodeURI(name), encodeURI(path)] as const);
    const placeholders = names.map(
      (_, index) => [placeholder(index), here[index] ?? first] as const,
    );
    this.#pairs = [...folders, ...encoded, ...placeholders, [HOME, homedir()]];
    this.#ofRecording.makePortable(recorded, "");
    this.#ofHere.makePortable(here, homedir());
  }

  /** A text of the recording, as it has to be here. */
  toHere(text: string): string {
    return this.#pairs.reduce(
      (result, [recorded, here]) =>
        result.includes(recorded) ? result.replace(wholePath(recorded), () => here) : result,
      text,
    );
  }

  /** Texts of either side can be compared when neither says where it was. */
  fromRecording(text: string): string {
    return this.#ofRecording.apply(text);
  }

  fromHere(text: string): string {
    return this.#ofHere.apply(text);
  }
}
