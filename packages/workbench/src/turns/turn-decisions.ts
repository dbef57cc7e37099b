import { printable } from "@lockstep/protocol";
import { isShown, shownText } from "@lockstep/review";
import { WorkbenchError } from "../errors.js";
import type { FileTexts } from "./file-texts.js";
import { modeOf } from "./image.js";
import type { PutBack } from "./put-back.js";
import type { Turn } from "./turn.js";
import { hasHunks, hasWhole, isMine, kindOf, lostOf, type TurnFile } from "./turn-file.js";
import type { Act, Step } from "./turn-record.js";

export const MINE =
  "You have edited this new file yourself during this turn: delete it in the list of files if you do not want it.";

export interface Decision {
  readonly file?: string | undefined;
  readonly hunk?: number | undefined;
  readonly decision: "kept" | "undone";
}

/** What was done to the disk, and what was not. */
export interface Done {
  readonly refused: readonly string[];
  /** Paths that were written, from the root on. */
  readonly written: readonly string[];
  /** The files that were decided on. */
  readonly files: readonly string[];
}

/** Keeps and undoes the changes of turns, and takes that back. */
export class TurnDecisions {
  readonly #texts: FileTexts;
  readonly #putBack: PutBack;
  /** Hunks that nobody may undo, and why. */
  readonly #stuck: (turn: Turn, file: TurnFile) => Promise<ReadonlyMap<number, string>>;

  constructor(
    texts: FileTexts,
    putBack: PutBack,
    stuck: (turn: Turn, file: TurnFile) => Promise<ReadonlyMap<number, string>>,
  ) {
    this.#texts = texts;
    this.#putBack = putBack;
    this.#stuck = stuck;
  }

  async decide(turn: Turn, { file: id, hunk, decision }: Decision): Promise<Done> {
    const files = id === undefined ? inOrder([...turn.files.values()]) : [need(turn, id)];
    const steps: Step[] = [];
    const refused: string[] = [];
    for (const file of files) {
      const plan = await this.#plan(turn, file, hunk, decision, id === undefined);
      refused.push(...plan.refused);
      if (plan.step) steps.push(plan.step);
    }
    if (id === undefined && decision === "undone" && turn.cut > 0) refused.push(leftOut(turn));
    const done = await this.#apply(turn, steps);
    const [only] = files;
    const what = files.length === 1 && only ? printable(only.path) : `${steps.length} files`;
    const verb = decision === "kept" ? "Keep" : "Undo";
    if (done.back.length > 0) turn.remember({ label: `${verb} ${what}`, steps: done.back });
    if (decision === "undone") for (const path of done.written) turn.addStale(path);
    return { ...done, refused: [...refused, ...done.refused] };
  }

  async undo(turn: Turn): Promise<Done> {
    const act = turn.past.at(-1);
    if (!act) throw new WorkbenchError("There is no decision to take back.");
    const { past, future } = turn;
    const done = await this.#apply(turn, [...act.steps].reverse());
    turn.past = [...past.slice(0, -1), ...left(act, done.failed)];
    turn.future = done.back.length > 0 ? [...future, { ...act, steps: done.back }] : future;
    return done;
  }

  async redo(turn: Turn): Promise<Done> {
    const act = turn.future.at(-1);
    if (!act) throw new WorkbenchError("There is no decision to make again.");
    const { past, future } = turn;
    const done = await this.#apply(turn, [...act.steps].reverse());
    turn.future = [...future.slice(0, -1), ...left(act, done.failed)];
    turn.past = done.back.length > 0 ? [...past, { ...act, steps: done.back }] : past;
    return done;
  }

  /** What a decision means for a file; nothing where it is decided so already. */
  async #plan(
    turn: Turn,
    file: TurnFile,
    hunk: number | undefined,
    decision: "kept" | "undone",
    everywhere: boolean,
  ): Promise<{ readonly step: Step | null; readonly refused: readonly string[] }> {
    const lost = lostOf(file);
    if (decision === "undone" && lost)
      return { step: null, refused: [`${printable(file.path)}: ${lost}`] };
    if (decision === "undone" && isMine(file))
      return { step: null, refused: [`${printable(file.path)}: ${MINE}`] };
    const refused: string[] = [];
    const hunks: Step["hunks"] = [];
    const loaded = hasHunks(file) ? await this.#texts.load(file) : null;
    const single = hunk !== undefined && loaded !== null;
    const all = loaded?.review.hunks ?? [];
    const pending =
      (hasWhole(file) && file.whole === "pending") ||
      all.some(({ decision: each }) => each === "pending");
    if (single && !all.some(({ id }) => id === hunk)) throw gone();
    const stuck = decision === "undone" ? await this.#stuck(turn, file) : new Map<number, string>();
    for (const each of all) {
      if (single && each.id !== hunk) continue;
      const why = stuck.get(each.id);
      if (decision === "undone" && isShown(each)) {
        if (why === undefined) hunks.push([each.id, "dropped"]);
        else if (single) throw new WorkbenchError(why);
        else refused.push(`${printable(file.path)}: ${why}`);
      }
      // Keeping all that is open does not bring back what was undone by itself.
      const open = single || each.decision === "pending" || (!pending && !everywhere);
      if (decision === "kept" && open && each.decision !== "kept") hunks.push([each.id, "kept"]);
    }
    const open = file.whole === "pending" || !pending;
    const wanted = !single && hasWhole(file) && file.whole !== decision;
    const whole =
      wanted && (decision === "undone" || (open && !(everywhere && !pending))) ? decision : null;
    const nothing = hunks.length === 0 && whole === null;
    return {
      step: nothing ? null : { file: file.id, whole, hunks },
      refused: [...new Set(refused)],
    };
  }

  /** Answers the steps that lead back. */
  async #apply(turn: Turn, steps: readonly Step[]) {
    const back: Step[] = [];
    const refused: string[] = [];
    const failed: Step[] = [];
    const written: string[] = [];
    for (const step of steps) {
      const was: Step = { file: step.file, whole: null, hunks: [] };
      try {
        await this.#hunks(turn, step, was, written);
        await this.#whole(turn, step, was, written);
      } catch (problem) {
        if (!(problem instanceof WorkbenchError)) throw problem;
        refused.push(problem.message);
        failed.push(step);
      }
      if (was.whole !== null || was.hunks.length > 0) back.push(was);
    }
    return { back, refused, failed, written, files: steps.map(({ file }) => file) };
  }

  async #hunks(turn: Turn, step: Step, was: Step, written: string[]): Promise<void> {
    if (step.hunks.length === 0) return;
    const file = need(turn, step.file);
    const loaded = hasHunks(file) ? await this.#texts.load(file) : null;
    if (!loaded) throw gone();
    const { review, text, encoding } = loaded;
    const wanted = new Map(step.hunks);
    // A file can have ten thousand of them.
    const there = new Set(review.hunks.map(({ id }) => id));
    if ([...wanted.keys()].some((id) => !there.has(id))) throw gone();
    const hunks = review.hunks.map((hunk) => {
      const decision = wanted.get(hunk.id) ?? hunk.decision;
      return decision === hunk.decision ? hunk : { ...hunk, decision };
    });
    const next = shownText({ ...review, hunks });
    const path = placeNow(file);
    if (next !== text) {
      await this.#putBack.text(path, { text, encoding }, next);
      written.push(path);
    }
    was.hunks = review.hunks.flatMap(({ id, decision }) =>
      wanted.has(id) ? [[id, decision]] : [],
    );
    turn.put({ ...file, hunks });
  }

  async #whole(turn: Turn, step: Step, was: Step, written: string[]): Promise<void> {
    const file = need(turn, step.file);
    if (step.whole === null || step.whole === file.whole) return;
    const undo = step.whole === "undone";
    let { trashed } = file;
    if (undo !== (file.whole === "undone")) {
      trashed = await this.#move(file, undo);
      const places = file.from === null ? [file.path] : [file.path, file.from];
      for (const place of places) await this.#putBack.emptied(place, turn.since);
      written.push(...places);
    }
    was.whole = file.whole;
    turn.put({ ...need(turn, step.file), whole: step.whole, trashed });
  }

  /** From what it became to what it was, or the other way; answers what went to the trash. */
  async #move(file: TurnFile, undo: boolean): Promise<string | null> {
    const { path, from, before, after, trashed } = file;
    const kind = kindOf(file);
    if (from !== null) {
      await (undo ? this.#putBack.rename(path, from) : this.#putBack.rename(from, path));
    }
    if (from !== null || kind === "mode" || hasHunks(file)) {
      const [is, wanted] = undo ? [after, before] : [before, after];
      const place = from === null || !undo ? path : from;
      const [now, next] = [modeOf(is), modeOf(wanted)];
      if (now !== null && next !== null) await this.#putBack.mode(place, now, next);
      return null;
    }
    const [is, wanted] = undo ? [after, before] : [before, after];
    if (!undo && before === null && trashed !== null) {
      if (await this.#putBack.untrash(path, trashed)) return null;
    }
    return this.#putBack.image(path, is, wanted);
  }
}

/** What has come goes first: it may stand where something has to come back to. */
const inOrder = (files: readonly TurnFile[]): readonly TurnFile[] => [
  ...files.filter(({ before }) => before === null),
  ...files.filter(({ before }) => before !== null),
];

/** Where it is: a rename that was undone is at its old place. */
const placeNow = ({ path, from, whole }: TurnFile): string =>
  whole === "undone" && from !== null ? from : path;

/** What could not be taken back stays to be tried again. */
const left = (act: Act, failed: readonly Step[]): readonly Act[] =>
  failed.length > 0 ? [{ ...act, steps: [...failed].reverse() }] : [];

const leftOut = ({ cut }: Turn): string =>
  cut === 1
    ? "One more file has changed than is shown: it stays as it is."
    : `${cut.toLocaleString("en")} more files have changed than are shown: they stay as they are.`;

export function need(turn: Turn, id: string): TurnFile {
  const file = turn.files.get(id);
  if (!file) throw new WorkbenchError("This file has no change in this turn any more.");
  return file;
}

const gone = () =>
  new WorkbenchError("This change is not there any more: look at the file as it is now.");
