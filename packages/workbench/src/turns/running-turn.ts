import { shownText } from "@lockstep/review";
import type { FileTexts } from "./file-texts.js";
import { type Content, type Image, sameContent, sameImage } from "./image.js";
import type { PersonsSaves } from "./persons-saves.js";
import { findRenames, type Renamed } from "./renames.js";
import type { Shadow } from "./shadow.js";
import type { FoundChange } from "./shadow-thread.js";
import { lineCounts } from "./shown-files.js";
import type { Turn } from "./turn.js";
import {
  fileId,
  followText,
  hasHunks,
  hasUndone,
  isMine,
  keyOf as keyOfFile,
  reviewOf,
  type TurnFile,
  touchedBy,
} from "./turn-file.js";

/** Makes of what was found on the disk what the running turn says, and keeps what was decided in it. */
export class RunningTurn {
  readonly #shadow: Shadow;
  readonly #texts: FileTexts;
  readonly #saves: PersonsSaves;
  /** Objects of git's that we have copies of, or know that nobody has. */
  readonly #secured = new Map<string, Content>();

  constructor(shadow: Shadow, texts: FileTexts, saves: PersonsSaves) {
    this.#shadow = shadow;
    this.#texts = texts;
    this.#saves = saves;
  }

  /** Another turn runs: what was copied for the last one is none of its business. */
  begin(): void {
    this.#secured.clear();
  }

  /** Answers whether the turn is another one now. */
  async update(turn: Turn, found: readonly FoundChange[], cut: number): Promise<boolean> {
    const changes = await findRenames(await this.#secure(found), (change) =>
      this.#comparable(change),
    );
    const undone = new Set(
      [...turn.files.values()].filter(({ whole }) => whole === "undone").map(({ from }) => from),
    );
    const present = new Set<string>();
    let news = turn.cut !== cut;
    turn.cut = cut;
    for (const change of changes) {
      // A rename that was taken back, whose text was not.
      if (undone.has(change.path)) continue;
      const id = fileId(change.path);
      present.add(id);
      const known = turn.files.get(id);
      if (known && isSame(known, change)) continue;
      const file = await this.#describe(id, change, known ?? null);
      if (known && !(known.hunks && file.hunks)) turn.forgetActs(id);
      turn.put(this.#isNews(file, known ?? null) ? file : { ...file, seen: keyOfFile(file) });
      news = true;
    }
    for (const [id, file] of [...turn.files]) {
      if (present.has(id)) continue;
      const left = hasUndone(file) ? await this.#unchanged(file) : null;
      if (left === file) continue;
      if (left) turn.put(left);
      else {
        turn.files.delete(id);
        turn.forgetActs(id);
      }
      news = true;
    }
    return news;
  }

  async #describe(id: string, change: Renamed, known: TurnFile | null): Promise<TurnFile> {
    const { path, before, after, from } = change;
    const seen = known?.seen ?? null;
    const fresh: TurnFile = {
      ...{ id, path, from, before, after, seen, content: "unknown", added: null, removed: null },
      ...{ whole: "pending", hunks: null, yours: [], trashed: null },
    };
    const loaded = await this.#texts.load(fresh);
    const content = contentOf(before, after, loaded !== null);
    if (!loaded) return { ...fresh, content };
    const { added, removed } = lineCounts(loaded.review);
    const file: TurnFile = {
      ...{ ...fresh, content },
      // The empty line that nothing is made of was no line.
      added: after === null ? 0 : added,
      removed: before === null ? 0 : removed,
    };
    // What was undone in it is remembered, also where nothing is left that differs.
    const goesOn = known?.hunks && before !== null && after !== null;
    if (!hasHunks(file) && !goesOn) return this.#markWhole(file, known);
    const decided = goesOn ? await this.#follow(known, file, loaded.text) : file;
    return this.#mark(decided, known, loaded.text);
  }

  /** What the person has just saved is nothing that they have still to look at. */
  #isNews({ path, after }: TurnFile, known: TurnFile | null): boolean {
    const isSaved = after?.kind === "file" && this.#saves.has(path, after.content);
    return !isSaved || (known !== null && known.seen !== keyOfFile(known));
  }

  /** It is what it was before the turn: what was undone in it can be brought back, and all else is gone. */
  async #unchanged(file: TurnFile): Promise<TurnFile | null> {
    if (!file.hunks || file.from !== null) return file;
    const loaded = await this.#texts.load(file);
    const before = await this.#texts.textOf(file.before);
    if (!loaded || !before || loaded.text === before.text) return file;
    const { review, yours } = followText(loaded.review, before.text, file.yours);
    return review.hunks.length === 0 ? null : { ...file, hunks: review.hunks, yours };
  }

  /** What was decided on changes that are still there holds. */
  async #follow(known: TurnFile, file: TurnFile, text: string): Promise<TurnFile> {
    const old = await this.#texts.load(known);
    if (!old) return file;
    const { review, yours } = followText(old.review, text, known.yours);
    const { whole } = known;
    const after = whole === "undone" ? withMode(file.after, known.after) : file.after;
    const hunks = review.hunks.length > 0 ? review.hunks : null;
    return { ...file, after, hunks, yours, whole, ...lineCounts(review) };
  }

  /** What the person has saved over it is the person's. */
  async #mark(file: TurnFile, known: TurnFile | null, text: string): Promise<TurnFile> {
    const { path, before, after } = file;
    if (after?.kind !== "file" || !this.#saves.has(path, after.content)) return file;
    const was =
      known && hasHunks(known) ? await this.#shownText(known) : await this.#texts.textOf(before);
    const base = await this.#texts.textOf(before);
    if (!was || !base) return file;
    const review = reviewOf(file, base.text, text);
    const yours = [...new Set([...file.yours, ...touchedBy(review, was.text)])];
    return yours.length === 0 ? file : { ...file, hunks: review.hunks, yours };
  }

  /** A new file that the person has saved is the person's, too, whoever writes it next. */
  #markWhole(file: TurnFile, known: TurnFile | null): TurnFile {
    const { path, before, after } = file;
    if (before !== null || after?.kind !== "file") return file;
    const wasMine = known !== null && isMine(known);
    return wasMine || this.#saves.has(path, after.content) ? { ...file, yours: [0] } : file;
  }

  async #shownText(file: TurnFile): Promise<{ readonly text: string } | null> {
    const loaded = await this.#texts.load(file);
    return loaded && { text: shownText(loaded.review) };
  }

  /** Git may let go of its objects, so what a turn needs of them is copied. */
  async #secure(found: readonly FoundChange[]): Promise<readonly FoundChange[]> {
    const isNews = ({ path, before, after }: FoundChange) =>
      before?.kind === "file" &&
      !(after?.kind === "file" && after.content === before.content) &&
      !this.#secured.has(keyOf(path, before));
    const wanted = found.filter(isNews).map(({ path, before }) => ({ path, image: before }));
    const copies = await this.#shadow.secure(wanted);
    for (const { path, image } of wanted) {
      const copy = copies.get(path);
      if (copy && image) this.#secured.set(keyOf(path, image), copy);
    }
    const instead = (path: string, image: Image | null): Image | null => {
      const content = image && this.#secured.get(keyOf(path, image));
      return content && image.kind === "file" ? { ...image, content } : image;
    };
    return found.map(({ path, before, after }) => ({
      path,
      before: instead(path, before),
      after: instead(path, after),
    }));
  }

  async #comparable({ before, after }: FoundChange): Promise<string | null> {
    return (await this.#texts.textOf(before ?? after))?.text ?? null;
  }
}

const keyOf = (path: string, image: Image): string =>
  image.kind === "file" ? `${image.content} ${path}` : "";

function isSame(file: TurnFile, { from, before, after }: Renamed): boolean {
  if (file.from !== from || !sameImage(file.before, before)) return false;
  if (file.whole !== "undone") return sameImage(file.after, after);
  // Only its permissions are what they were; what has no changes to show has come again.
  return file.hunks !== null && sameContent(file.after, after);
}

/** The permissions that it had before they were taken back. */
function withMode(image: Image | null, had: Image | null): Image | null {
  return image?.kind === "file" && had?.kind === "file" ? { ...image, mode: had.mode } : image;
}

function contentOf(
  before: Image | null,
  after: Image | null,
  isText: boolean,
): TurnFile["content"] {
  if (before?.kind === "link" || after?.kind === "link") return "link";
  if (isText) return "text";
  const lost = [before, after].some((image) => image?.content.startsWith("none:"));
  return lost ? "unknown" : "binary";
}
