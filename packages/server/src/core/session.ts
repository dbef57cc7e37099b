import type {
  Abilities,
  Agent,
  Ask,
  Editor,
  Lasting,
  Question as PersonQuestion,
  Selection,
} from "@lockstep/editor";
import { editorCannot, editorFailed, editorTooSlow, notAwaited } from "../errors.js";
import type { Gate } from "../gate/gate.js";
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
  save: "save the document",
  format: "format the file",
  execute: "run the code",
};

/** These wait for a person, or for as long as the person's code runs. */
const UNBOUNDED: ReadonlySet<Question> = new Set(["confirm", "close", "execute"]);

/** Who waits for an answer, and until when. */
export interface Scope {
  readonly signal: AbortSignal;
  /** Whether the signal has fired, where it can be told without making one. */
  readonly aborted?: boolean;
}

/** One agent at the editor: all that it asks goes through here, and through the gate. */
export class Session {
  readonly agent: Agent;
  readonly desk: Desk;
  readonly files: Files;
  readonly gate: Gate;
  readonly #editor: Editor;
  readonly #report: (problem: unknown) => void;
  readonly #ended = new AbortController();
  #consents = new Map<string, Promise<boolean>>();
  #latestSelection: Selection | null = null;

  constructor(agent: Agent, gate: Gate, files: Files, report: (problem: unknown) => void) {
    this.agent = agent;
    this.gate = gate;
    this.files = files;
    this.#editor = gate.editor;
    this.#report = report;
    this.desk = new Desk(agent, this.#editor, files, report);
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
    scope: Scope = this.#ended,
  ): Promise<OutputOf<Name>> {
    // Not even a person's late yes may do anything for an agent that has left or thought better of it.
    if (this.#ended.signal.aborted || (scope.aborted ?? scope.signal.aborted)) throw notAwaited();
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
      const timer = UNBOUNDED.has(name) ? undefined : setTimeout(late, PATIENCE_MS);
      // Within a promise, so that an ability which throws at once fails like any other.
      Promise.resolve(call)
        .then((asked) => ask(input, asked))
        .then(resolve, (error) => reject(editorFailed(WORDS[name], error)))
        .finally(() => clearTimeout(timer));
    });
  }

  /** The selection of now, which is also the latest one until the next. */
  async selection(scope?: Scope): Promise<Selection | null> {
    const selection = await this.ask("selection", undefined, scope);
    this.#latestSelection = selection ?? this.#latestSelection;
    return selection;
  }

  /** The selection of now, or the last that this agent was told of. */
  async latestSelection(scope?: Scope): Promise<Selection | null> {
    return (await this.selection(scope)) ?? this.#latestSelection;
  }

  /** Asks the person; no where nobody can be asked. */
  async consent(question: PersonQuestion, scope: Scope): Promise<boolean> {
    return this.abilities.confirm !== undefined && (await this.ask("confirm", question, scope));
  }

  /**
   * Asks the person once for as long as this agent stays and the yes is not taken back, whichever of its
   * calls came first; a no may be asked again.
   */
  async lastingConsent(question: PersonQuestion & { readonly lasting: Lasting }): Promise<boolean> {
    const consents = this.#consents;
    const asked = consents.get(question.lasting) ?? this.consent(question, this.#ended);
    consents.set(question.lasting, asked);
    const forget = () => consents.delete(question.lasting);
    const allowed = await asked.catch((problem) => {
      forget();
      throw problem;
    });
    if (!allowed) forget();
    return allowed;
  }

  /** The person took back a yes, perhaps this agent's: what was asked before counts no more. */
  forgetConsents(): void {
    this.#consents = new Map();
  }

  /** Something to show about this agent. */
  tell(kind: "connected" | "left" | "turn" | "outdated"): void {
    try {
      this.#editor.abilities.activity?.({ kind, agent: this.agent });
    } catch (error) {
      // Nothing waits for it, so nothing may stop for it: least of all the withdrawal of proposals.
      this.#report(error);
    }
  }

  async end(why: "disconnected" | "stopping"): Promise<void> {
    if (this.#ended.signal.aborted) return;
    this.#ended.abort(new Error("The agent has left"));
    this.tell("left");
    await this.desk.withdrawAll(why);
  }
}
