import type { Uri } from "@lockstep/protocol";
import type { Editor, Mention, Proposal, Range } from "../port.js";

/** What a person does at the editor under test. Each resolves when the editor has taken it in. */
export interface Person {
  /** Opens a file, which becomes the active document. */
  open(uri: Uri): Promise<void>;
  /** Replaces the text of an open document without saving it. */
  type(uri: Uri, text: string): Promise<void>;
  select(uri: Uri, range: Range): Promise<void>;
  mention(uri: Uri, lines?: Mention["lines"]): Promise<void>;
  /** What is in front of the person, waiting for a decision, as soon as it is that many. */
  proposals(count: number): Promise<readonly Proposal[]>;
  /** Changes the proposed text; nothing is decided yet. */
  draft(proposalId: string, text: string): Promise<void>;
  accept(proposalId: string): Promise<void>;
  reject(proposalId: string, reason?: string): Promise<void>;
  /** How the person will answer questions from now on; it is no until then. */
  answerQuestions(yes: boolean): Promise<void>;
  /** Takes back what was allowed to last. Left out by an editor where nobody can. */
  takeBack?(): Promise<void>;
}

/** An editor and somebody in front of it. */
export interface Subject extends AsyncDisposable {
  readonly editor: Editor;
  readonly person: Person;
  /** Makes a file of the workspace that the editor has not opened yet. */
  file(name: string, text: string): Promise<Uri>;
  /** Names a file of the workspace that does not exist. */
  missingFile(name: string): Uri;
}
