import type { Abilities, Agent, Ask, Editor } from "@lockstep/editor";
import { editorCannot, editorFailed, editorTooSlow } from "../errors.js";
import { Desk } from "./desk.js";
import { EditorCall } from "./editor-call.js";
import type { Files } from "./files.js";

type Questions = Required<Omit<Abilities, "review" | "activity">>;
export type Question = keyof Questions;
type InputOf<Name extends Question> = Parameters<Questions[Name]>[0];
type OutputOf<Name extends Question> = Awaited<ReturnType<Questions[Name]>>;

/** Long enough for a busy editor, short enough that an agent does not seem to hang. */
const PATIENCE_MS = 10_000;

/** For the sentence that an agent reads when an ability is missing or fails. */
const WORDS: Readonly<Record<Question, string>> = {
  selection: "tell its selection",
  tabs: "list its tabs",
  text: "tell a document's text",
  open: "open the file",
  close: "close the tab",
  diagnostics: "tell its diagnostics",
  confirm: "ask the person",
};

/** One agent at the editor: all that it asks goes through here. */
export class Session {
  readonly agent: Agent;
  readonly desk: Desk;
  readonly files: Files;
  readonly #editor: Editor;
  readonly #ended = new AbortController();

  constructor(agent: Agent, editor: Editor, files: Files, report: (problem: unknown) => void) {
    this.agent = agent;
    this.files = files;
    this.#editor = editor;
    this.desk = new Desk(agent, editor, files, report);
  }

  get editor(): Pick<Editor, "name" | "folders"> {
    return this.#editor;
  }

  get abilities(): Abilities {
    return this.#editor.abilities;
  }

  /**
   * Puts a question to the editor, bounded in time unless a person has to answer it. Fails with a
   * sentence for the agent. `scope` ends the question early; without it, it ends with the session.
   */
  async ask<Name extends Question>(
    name: Name,
    input: InputOf<Name>,
    scope: { readonly signal: AbortSignal } = this.#ended,
  ): Promise<OutputOf<Name>> {
    const ask = this.#editor.abilities[name] as unknown as
      | Ask<InputOf<Name>, OutputOf<Name>>
      | undefined;
    if (!ask) throw editorCannot(WORDS[name]);
    const call = new EditorCall(this.agent, () => scope.signal);
    return new Promise<OutputOf<Name>>((resolve, reject) => {
      const late = () => {
        const error = editorTooSlow(WORDS[name], PATIENCE_MS);
        call.end(error);
        reject(error);
      };
      const timer = name === "confirm" ? undefined : setTimeout(late, PATIENCE_MS);
      // Within a promise, so that an ability which throws at once fails like any other.
      Promise.resolve(call)
        .then((asked) => ask(input, asked))
        .then(resolve, (error) => reject(editorFailed(WORDS[name], error)))
        .finally(() => clearTimeout(timer));
    });
  }

  /** A turn began: the person sent a prompt. */
  turnBegan(): void {
    this.#editor.abilities.activity?.({ kind: "turn", agent: this.agent });
  }

  begin(): void {
    this.#editor.abilities.activity?.({ kind: "connected", agent: this.agent });
  }

  async end(why: "disconnected" | "stopping"): Promise<void> {
    if (this.#ended.signal.aborted) return;
    this.#ended.abort(new Error("The agent has left"));
    this.#editor.abilities.activity?.({ kind: "left", agent: this.agent });
    await this.desk.withdrawAll(why);
  }
}
