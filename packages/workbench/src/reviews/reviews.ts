import { randomUUID } from "node:crypto";
import { sep } from "node:path";
import type { ChangeSpec } from "@codemirror/state";
import type { Agent, Call, Outcome, Proposal, Review, Withdrawal } from "@lockstep/editor";
import { filePath, type Uri } from "@lockstep/protocol";
import { diffLines, linesOf, openReview, rebase, shownText } from "@lockstep/review";
import type { DocumentInfo } from "../contract/documents.js";
import type { reviewCalls } from "../contract/reviews.js";
import type { Merge } from "../documents/documents.js";
import { WorkbenchError } from "../errors.js";
import type { Surroundings } from "../surroundings.js";
import type { SharedText } from "../texts/shared-text.js";
import type { SharedTexts } from "../texts/shared-texts.js";
import type { Handlers } from "../windows/router.js";
import { type Draft, fittingHunks } from "./draft.js";
import { Drafts } from "./drafts.js";
import { draftOf, type Entry, proposalInfo } from "./entry.js";
import { textChanges } from "./line-changes.js";
import { OpenReview, type ReviewChange, type ReviewSource } from "./open-review.js";
import { readReviewedFile } from "./reviewed-file.js";

/** The documents, as far as reviews need them. */
export interface ReviewedDocuments {
  get(uri: Uri): { readonly shared: SharedText; readonly info: DocumentInfo } | null;
  edit(uri: Uri, changes: ChangeSpec, by?: string): void;
}

/** How a reason reaches an agent that does not read it in the answer. */
export type DeliverReason = (agent: Agent, reason: string) => "sent" | "typed" | "copy";

/** Characters of both texts from which on writing a draft takes a noticeable moment. */
const LARGE_DRAFT = 1_000_000;

/** What nobody waits for any more is kept for a while, not for ever. */
const MOST_ORPHANED = 50;

const NOBODY: Agent = { id: "", name: "You" };
const ORPHANED =
  "Nobody waits for this proposal any more: copy its text, and answer in the agent's terminal.";

/** The proposals in front of the person. The workbench is the authority; windows show and decide. */
export class Reviews {
  readonly #surroundings: Surroundings;
  readonly #texts: SharedTexts;
  readonly #documents: ReviewedDocuments;
  readonly #deliverReason: DeliverReason;
  readonly #drafts: Drafts;
  readonly #entries = new Map<string, Entry>();

  /** Brings back what an earlier process left, as orphaned: whoever waited for it is gone. */
  static async open(
    surroundings: Surroundings,
    texts: SharedTexts,
    documents: ReviewedDocuments,
    deliverReason: DeliverReason,
  ): Promise<Reviews> {
    const drafts = await Drafts.open(surroundings.stateDir, surroundings.report);
    const reviews = new Reviews(surroundings, texts, documents, deliverReason, drafts);
    for (const draft of await drafts.restore()) reviews.#restore(draft);
    return reviews;
  }

  private constructor(
    surroundings: Surroundings,
    texts: SharedTexts,
    documents: ReviewedDocuments,
    deliverReason: DeliverReason,
    drafts: Drafts,
  ) {
    this.#surroundings = surroundings;
    this.#texts = texts;
    this.#documents = documents;
    this.#deliverReason = deliverReason;
    this.#drafts = drafts;
  }

  readonly handlers: Handlers<typeof reviewCalls> = {
    "review.attach": ({ id }, window) => {
      const { review } = this.#entry(id);
      const { snapshot } = review;
      this.#texts.attach(textName(id), window);
      return snapshot;
    },
    "review.decide": ({ id, hunk, decision }) => this.#open(id).review.decide(hunk, decision),
    "review.undo": ({ id }) => this.#open(id).review.undo(),
    "review.redo": ({ id }) => this.#open(id).review.redo(),
    "review.accept": ({ id, moves }) => this.#accept(id, moves),
    "review.reject": ({ id, reason }) => this.#reject(this.#open(id), reason?.trim() ?? ""),
    "review.dismiss": ({ id }) => {
      const entry = this.#entry(id);
      if (entry.kind === "waiting") {
        throw new WorkbenchError("The agent waits for an answer: accept or reject the proposal.");
      }
      this.#take(entry);
    },
  };

  /** The Editor port's ability. */
  review({ id, uri, base, text, outside }: Proposal, { agent }: Call): Review {
    if (this.#entries.has(id)) throw new Error(`There is a proposal ${id} already`);
    let settle: (outcome: Outcome) => void = () => {};
    const outcome = new Promise<Outcome>((resolve) => {
      settle = resolve;
    });
    const source = { base, shown: text };
    const entry = this.#add({ id, uri, agent, outside, settle, kind: "waiting" }, source);
    let draft: string | null = null;
    return {
      outcome,
      withdraw: async (why) => {
        draft ??= entry.review.text;
        if (this.#entries.get(id) === entry && entry.kind === "waiting") this.#withdraw(entry, why);
        return draft;
      },
    };
  }

  /**
   * The person's own edits against a file that changed: accepting writes the result into the document.
   * The documents follow the file themselves, and tell when it changes once more.
   */
  openMerge({ uri, base, mine, theirs }: Merge): void {
    for (const entry of this.#entries.values()) {
      if (entry.kind === "merge" && entry.uri === uri) this.#take(entry);
    }
    const moved = rebase(openReview(base, mine), theirs);
    const shown = shownText(moved);
    const about = { id: randomUUID(), uri, agent: NOBODY, outside: false, mine, moved: true };
    this.#add({ ...about, kind: "merge" }, { base: theirs, shown, hunks: moved.hunks });
  }

  /** Files have changed: proposals for them are moved onto what is there now. */
  async noticeDisk(paths: readonly string[]): Promise<void> {
    for (const entry of [...this.#entries.values()]) {
      const path = filePath(entry.uri);
      if (path === null || entry.kind !== "waiting") continue;
      if (paths.some((changed) => path === changed || path.startsWith(changed + sep))) {
        await this.#lookAgain(entry);
      }
    }
  }

  /** Documents may have been edited or saved. */
  noticeDocuments(): void {
    for (const entry of this.#entries.values()) this.#publish(entry);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const entries = [...this.#entries.values()];
    for (const { review } of entries) review.takeIn();
    await this.#drafts.flush();
    for (const { id, review } of entries) {
      review.close();
      this.#texts.remove(textName(id));
    }
    this.#entries.clear();
  }

  async #accept(id: string, moves?: number): Promise<void> {
    const entry = this.#open(id);
    const isNews = () => moves !== undefined && moves !== entry.review.moves;
    // The watcher may be late, or blind for this file: what is accepted is what the person saw.
    if (entry.kind === "waiting" && ((await this.#lookAgain(entry)) || isNews())) {
      throw new WorkbenchError(
        "The file has changed a moment ago: look at the proposal on top of it, then accept.",
      );
    }
    // Meanwhile it may have been answered, or withdrawn.
    if (this.#open(id) !== entry) throw gone();
    const text = entry.review.final();
    if (entry.kind === "merge") this.#merge(entry, text ?? entry.review.base);
    else entry.settle(text === null ? { kind: "rejected" } : { kind: "accepted", text });
    this.#take(entry);
  }

  #reject(entry: Entry, reason: string): { reason: "none" | "sent" | "typed" | "copy" } {
    entry.settle({ kind: "rejected", ...(reason ? { reason } : {}) });
    this.#take(entry);
    if (!reason || entry.kind === "merge") return { reason: "none" };
    return { reason: this.#deliverReason(entry.agent, reason) };
  }

  /** Nobody waits for the answer any more. The person's work in it is not lost with it. */
  #withdraw(entry: Entry, why: Withdrawal): void {
    entry.review.takeIn();
    const answered = why === "answered-elsewhere" || why === "cancelled";
    const worth = answered ? entry.review.isEdited : entry.review.isTouched;
    if (!worth) return void this.#take(entry);
    entry.kind = "orphaned";
    this.#publish(entry);
    this.#save(entry);
    const orphaned = [...this.#entries.values()].filter(({ kind }) => kind === "orphaned");
    // Those without the person's work in them go first.
    orphaned.sort((a, b) => Number(a.review.isTouched) - Number(b.review.isTouched));
    for (const old of orphaned.slice(0, -MOST_ORPHANED)) this.#take(old);
  }

  #merge({ uri, mine }: Entry, text: string): void {
    const document = this.#documents.get(uri);
    if (!document || document.shared.toString() !== mine) {
      throw new WorkbenchError(
        "The document was edited since this merge began: dismiss it and merge again.",
      );
    }
    const changes = diffLines(linesOf(mine), linesOf(text));
    this.#documents.edit(uri, textChanges(changes, document.shared.text), "review");
  }

  /** True if the file is not what it was when it was last looked at. */
  async #lookAgain(entry: Entry): Promise<boolean> {
    try {
      const text = await readReviewedFile(entry.uri);
      if (text === null || text === entry.review.base) return false;
      if (this.#entries.get(entry.id) !== entry) return false;
      entry.moved = true;
      entry.review.moveTo(text);
      return true;
    } catch (problem) {
      this.#surroundings.report(problem);
      return false;
    }
  }

  #restore(draft: Draft): void {
    const { id, uri, agent, since, outside, moved, base, shown } = draft;
    if (draft.merge && !draft.touched) return void this.#drafts.remove(id);
    const hunks = fittingHunks(draft);
    const source = { base, shown, ...(hunks ? { hunks } : {}) };
    this.#add({ id, uri, agent, since, outside, moved, kind: "orphaned" }, source);
  }

  #add(
    about: Pick<Entry, "id" | "uri" | "agent" | "outside" | "kind"> & Partial<Entry>,
    source: ReviewSource,
  ): Entry {
    const entry: Entry = {
      since: Date.now(),
      moved: false,
      mine: null,
      settle: () => {},
      ...about,
      newFile: source.base === null,
      review: new OpenReview(
        source,
        (changed) => this.#changed(entry, changed),
        this.#surroundings.report,
      ),
    };
    const { id, review } = entry;
    this.#entries.set(id, entry);
    this.#texts.add(textName(id), review.shared, () =>
      entry.kind === "orphaned" ? ORPHANED : null,
    );
    this.#publish(entry);
    if (entry.kind !== "orphaned") this.#save(entry);
    return entry;
  }

  #changed(entry: Entry, changed: ReviewChange): void {
    const { id, review } = entry;
    if (changed === "text") return void this.#save(entry);
    this.#publish(entry);
    if (changed === "progress") return;
    this.#save(entry);
    const windows = this.#texts.windows(textName(id));
    const { hunks, base, moves, shared } = review;
    for (const window of windows) {
      if (changed === "base") window.send("review.base", { id, base, moves });
      if (hunks) window.send("review.hunks", { id, version: shared.version, moves, hunks });
    }
  }

  #publish(entry: Entry): void {
    const { store, folders } = this.#surroundings;
    const dirty = this.#documents.get(entry.uri)?.info.dirty ?? false;
    store.put("proposals", entry.id, proposalInfo(entry, folders, dirty));
  }

  #save(entry: Entry): void {
    const { base, shared } = entry.review;
    const large = base.length + shared.text.length > LARGE_DRAFT;
    this.#drafts.save(entry.id, () => draftOf(entry), large);
  }

  /** Off the queue, and off the disk. */
  #take({ id, review }: Entry): void {
    this.#entries.delete(id);
    review.close();
    this.#texts.remove(textName(id));
    this.#surroundings.store.remove("proposals", id);
    this.#drafts.remove(id);
  }

  #entry(id: string): Entry {
    const entry = this.#entries.get(id);
    if (!entry) throw gone();
    return entry;
  }

  /** One that can still be decided. */
  #open(id: string): Entry {
    const entry = this.#entry(id);
    if (entry.kind === "orphaned") throw new WorkbenchError(ORPHANED);
    return entry;
  }
}

const textName = (id: string): string => `proposal:${id}`;

const gone = () => new WorkbenchError("This proposal is not open any more: it has been answered.");
