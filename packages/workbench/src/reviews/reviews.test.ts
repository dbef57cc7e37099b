import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ChangeSpec } from "@codemirror/state";
import { ChangeSet } from "@codemirror/state";
import type { Agent, Outcome, Review } from "@lockstep/editor";
import { fileUri, type Uri } from "@lockstep/protocol";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { DocumentInfo } from "../contract/documents.js";
import type { EventName, Events, ProposalInfo } from "../contract/index.js";
import { initialState } from "../state/initial-state.js";
import { Store } from "../state/store.js";
import { SharedText } from "../texts/shared-text.js";
import { SharedTexts } from "../texts/shared-texts.js";
import type { Window } from "../windows/window.js";
import { Reviews } from "./reviews.js";

const AGENT: Agent = { id: "1", name: "Claude Code" };
const OLD = "one\ntwo\nthree\nfour\nfive\n";
const NEW = "ONE\ntwo\nthree\nfour\nFIVE\n";

/** Documents that are open, as reviews see them. */
class OpenDocuments {
  readonly open = new Map<Uri, { shared: SharedText; info: DocumentInfo }>();
  get(uri: Uri) {
    return this.open.get(uri) ?? null;
  }
  edit(uri: Uri, changes: ChangeSpec) {
    this.open.get(uri)?.shared.edit(changes);
  }
  add(uri: Uri, text: string, dirty: boolean) {
    this.open.set(uri, { shared: new SharedText(text), info: { dirty } as DocumentInfo });
  }
}

class TestWindow implements Window {
  readonly number = 1;
  readonly heard: { name: EventName; event: Events[EventName] }[] = [];
  send<Name extends EventName>(name: Name, event: Events[Name]) {
    this.heard.push({ name, event });
  }
  onClose(): Disposable {
    return { [Symbol.dispose]: () => {} };
  }
  last<Name extends EventName>(name: Name): Events[Name] | undefined {
    return this.heard.findLast((one) => one.name === name)?.event as Events[Name] | undefined;
  }
}

let folder: string;
let stateDir: string;
let store: Store;
let texts: SharedTexts;
let documents: OpenDocuments;
let reviews: Reviews;
let window: TestWindow;
let reasons: string[];
let problems: unknown[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "lockstep-reviews-"));
  stateDir = join(folder, "state");
  await mkdir(stateDir);
  reviews = await start();
});
afterEach(async () => {
  await reviews[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

async function start(): Promise<Reviews> {
  store = new Store(initialState(folder));
  texts = new SharedTexts();
  documents = new OpenDocuments();
  window = new TestWindow();
  reasons = [];
  problems = [];
  const surroundings = {
    store,
    folders: [folder],
    stateDir,
    report: (problem: unknown) => void problems.push(problem),
    broadcast: () => {},
  };
  return await Reviews.open(surroundings, texts, documents, (_agent, reason) => {
    reasons.push(reason);
    return "typed";
  });
}

/** Waits for a condition, however slow the machine is. */
const until = <Value>(ask: () => Value) => expect.poll(ask, { timeout: 20_000 });

let count = 0;

async function propose(base: string | null = OLD, text = NEW) {
  const path = join(folder, `file-${++count}.ts`);
  if (base !== null) await writeFile(path, base);
  const id = `proposal-${count}`;
  const uri = fileUri(path);
  const proposal = { id, uri, label: `Proposal ${count}`, base, text, outside: false };
  const review = reviews.review(proposal, { agent: AGENT, signal: new AbortController().signal });
  return { id, path, uri, review };
}

const info = (id: string): ProposalInfo | undefined => store.state.proposals[id];
const shown = (id: string): string => snapshot(id).shown.text;
const snapshot = (id: string) => reviews.handlers["review.attach"]({ id }, window) as Snapshot;
type Snapshot = Exclude<ReturnType<Reviews["handlers"]["review.attach"]>, Promise<unknown>>;
const decide = (id: string, hunk: number | "rest", decision: "kept" | "dropped") =>
  reviews.handlers["review.decide"]({ id, hunk, decision }, window);
const accept = async (id: string) => reviews.handlers["review.accept"]({ id }, window);
const reject = (id: string, reason?: string) =>
  reviews.handlers["review.reject"]({ id, ...(reason ? { reason } : {}) }, window);

/** What a window does that has the right side on screen. */
function type(id: string, from: number, to: number, insert: string): void {
  const { epoch, version, text } = snapshot(id).shown;
  const changes = ChangeSet.of({ from, to, insert }, text.length).toJSON();
  texts.handlers["text.push"](
    { name: `proposal:${id}`, epoch, version, updates: [{ clientID: "window", changes }] },
    window,
  );
}

/** Whether it settles before everything that is on its way has arrived. */
async function settled(review: Review): Promise<Outcome | null> {
  return Promise.race([review.outcome, new Promise<null>((done) => setImmediate(done, null))]);
}

describe("a proposal", () => {
  it("is in the queue with its hunks counted", async () => {
    const { id } = await propose();
    expect(info(id)).toMatchObject({
      kind: "waiting",
      agent: AGENT,
      label: "file-1.ts",
      place: "",
      languageId: "typescript",
      newFile: false,
      moved: false,
      tally: { pending: 2, kept: 0, dropped: 0, edited: 0, conflicts: 0, added: 2, removed: 2 },
      canUndo: false,
    });
  });

  it("is accepted with what is pending, and never written", async () => {
    const { id, path, review } = await propose();
    await accept(id);
    expect(await review.outcome).toEqual({ kind: "accepted", text: NEW });
    expect(info(id)).toBeUndefined();
    expect(await readFile(path, "utf8")).toBe(OLD);
  });

  it("is accepted without what was dropped", async () => {
    const { id, review } = await propose();
    decide(id, 0, "dropped");
    expect(shown(id)).toBe("one\ntwo\nthree\nfour\nFIVE\n");
    await accept(id);
    expect(await review.outcome).toMatchObject({ text: "one\ntwo\nthree\nfour\nFIVE\n" });
  });

  it("of which all is dropped is rejected", async () => {
    const { id, review } = await propose();
    decide(id, "rest", "dropped");
    await accept(id);
    expect(await review.outcome).toEqual({ kind: "rejected" });
  });

  it("of a new file shows no removed line, and is accepted whole", async () => {
    const { id, review } = await propose(null, "a\nb\n");
    expect(info(id)).toMatchObject({ newFile: true, tally: { added: 2, removed: 0 } });
    await accept(id);
    expect(await review.outcome).toEqual({ kind: "accepted", text: "a\nb\n" });
  });

  it("is rejected with a reason, and the answer says where the reason went", async () => {
    const first = await propose();
    expect(reject(first.id, " not like this ")).toEqual({ reason: "typed" });
    expect(await first.review.outcome).toEqual({ kind: "rejected", reason: "not like this" });
    expect(reasons).toEqual(["not like this"]);
    const second = await propose();
    expect(reject(second.id)).toEqual({ reason: "none" });
    expect(await second.review.outcome).toEqual({ kind: "rejected" });
  });

  it("is answered once", async () => {
    const { id } = await propose();
    await accept(id);
    await expect(accept(id)).rejects.toThrow(/not open any more/);
  });

  it("cannot be dismissed while the agent waits", async () => {
    const { id } = await propose();
    expect(() => reviews.handlers["review.dismiss"]({ id }, window)).toThrow(/accept or reject/);
    expect(info(id)).toBeDefined();
  });
});

describe("a proposal that disguises itself", () => {
  it("is shown under a name that nothing in it turns, and by an agent whose name is short", async () => {
    const path = join(folder, "a\u202e\n/cod.\u2066exe");
    const proposal = {
      id: "p",
      uri: fileUri(path),
      label: "",
      base: null,
      text: "",
      outside: true,
    };
    const agent = { id: "2", name: `\u202e\u001b]0;x\u0007${"y".repeat(10_000)}` };
    reviews.review(proposal, { agent, signal: new AbortController().signal });
    expect(info("p")).toMatchObject({ label: "cod.\ufffdexe", place: "a\ufffd\ufffd" });
    expect(info("p")?.agent.name).toMatch(/^\ufffd\ufffd\]0;x\ufffdy+$/);
    expect(info("p")?.agent.name).toHaveLength(100);
  });
});

describe("decisions", () => {
  it("reach the right side and the attached windows, with the version they belong to", async () => {
    const { id } = await propose();
    snapshot(id);
    decide(id, 1, "dropped");
    expect(window.last("review.hunks")).toMatchObject({
      id,
      version: 1,
      hunks: [
        { id: 0, decision: "pending", count: 1 },
        { id: 1, decision: "dropped", lines: ["FIVE"] },
      ],
    });
    expect(window.last("text.updates")).toMatchObject({ name: `proposal:${id}`, version: 0 });
  });

  it("are undone and redone, the text with them", async () => {
    const { id } = await propose();
    decide(id, 0, "dropped");
    decide(id, 1, "kept");
    expect(info(id)).toMatchObject({ canUndo: true, canRedo: false });
    reviews.handlers["review.undo"]({ id }, window);
    reviews.handlers["review.undo"]({ id }, window);
    expect(shown(id)).toBe(NEW);
    expect(info(id)).toMatchObject({ canUndo: false, canRedo: true, tally: { pending: 2 } });
    reviews.handlers["review.redo"]({ id }, window);
    expect(shown(id)).toBe("one\ntwo\nthree\nfour\nFIVE\n");
  });

  it("of hunks that are not there fail and change nothing", async () => {
    const { id } = await propose();
    expect(() => decide(id, 7, "kept")).toThrow(/not there any more/);
    expect(info(id)?.canUndo).toBe(false);
  });
});

describe("typing on the right side", () => {
  it("is one step together, taken in before the next decision", async () => {
    const { id, review } = await propose();
    type(id, 3, 3, "!");
    type(id, 4, 4, "?");
    decide(id, 1, "kept");
    expect(info(id)?.tally).toMatchObject({ edited: 1, kept: 1 });
    expect(shown(id)).toBe("ONE!?\ntwo\nthree\nfour\nFIVE\n");
    await accept(id);
    expect(await review.outcome).toMatchObject({ text: "ONE!?\ntwo\nthree\nfour\nFIVE\n" });
  });

  it("is taken back by one undo", async () => {
    const { id } = await propose();
    type(id, 3, 3, "!");
    reviews.handlers["review.undo"]({ id }, window);
    expect(shown(id)).toBe(NEW);
  });

  it("is told to the windows after a pause", async () => {
    const { id } = await propose();
    type(id, 3, 3, "!");
    await until(() => info(id)?.tally?.edited).toBe(1);
    expect(window.last("review.hunks")?.version).toBe(1);
  });
});

describe("a file that changes under its proposal", () => {
  it("carries the hunks along where nothing meets", async () => {
    const { id, path, review } = await propose();
    snapshot(id);
    const changed = OLD.replace("three", "three\nand more");
    await writeFile(path, changed);
    await reviews.noticeDisk([path]);
    expect(info(id)).toMatchObject({ moved: true, tally: { conflicts: 0, pending: 2 } });
    expect(window.last("review.base")).toEqual({ id, base: changed, moves: 1 });
    const text = NEW.replace("three", "three\nand more");
    expect(shown(id)).toBe(text);
    // A window that has not heard of it yet does not know what it would accept.
    const blind = reviews.handlers["review.accept"]({ id, moves: 0 }, window);
    await expect(blind).rejects.toThrow("changed a moment ago");
    await reviews.handlers["review.accept"]({ id, moves: 1 }, window);
    expect(await review.outcome).toEqual({ kind: "accepted", text });
  });

  it("is a conflict where both changed, and accepting is refused until it is decided", async () => {
    const { id, path, review } = await propose();
    await writeFile(path, OLD.replace("one", "uno"));
    await reviews.noticeDisk([path]);
    expect(info(id)?.tally).toMatchObject({ conflicts: 1, pending: 1 });
    expect(shown(id)).toBe("uno\ntwo\nthree\nfour\nFIVE\n");
    await expect(accept(id)).rejects.toThrow(/keep or drop/);
    expect(await settled(review)).toBeNull();
    decide(id, 0, "dropped");
    await accept(id);
    expect(await review.outcome).toMatchObject({ text: "uno\ntwo\nthree\nfour\nFIVE\n" });
  });

  it("is found out by accepting, even if nobody noticed it before", async () => {
    const { id, path, review } = await propose();
    await writeFile(path, OLD.replace("two", "due"));
    await expect(accept(id)).rejects.toThrow(/a moment ago/);
    expect(await settled(review)).toBeNull();
    expect(info(id)?.moved).toBe(true);
  });

  it("is noticed when its whole folder is named", async () => {
    const { id, path } = await propose();
    await rm(path);
    await reviews.noticeDisk([folder]);
    expect(info(id)?.moved).toBe(true);
  });

  it("shows that its document has unsaved edits", async () => {
    const { id, uri } = await propose();
    documents.add(uri, "typed", true);
    reviews.noticeDocuments();
    expect(info(id)?.dirty).toBe(true);
  });
});

describe("a proposal that is withdrawn", () => {
  it("disappears when nothing was done with it, and never has an outcome", async () => {
    for (const why of ["disconnected", "cancelled", "answered-elsewhere", "stopping"] as const) {
      const { id, review } = await propose();
      expect(await review.withdraw(why)).toBe(NEW);
      expect(info(id)).toBeUndefined();
      expect(await settled(review)).toBeNull();
    }
  });

  it("stays as orphaned when the agent left a decision behind", async () => {
    const { id, review } = await propose();
    decide(id, 0, "dropped");
    await review.withdraw("disconnected");
    expect(info(id)).toMatchObject({ kind: "orphaned", canUndo: false });
    await expect(accept(id)).rejects.toThrow(/agent's terminal/);
    expect(() => decide(id, 1, "kept")).toThrow(/agent's terminal/);
    expect(() => type(id, 0, 0, "x")).toThrow(/agent's terminal/);
    reviews.handlers["review.dismiss"]({ id }, window);
    expect(info(id)).toBeUndefined();
  });

  it("stays when it was answered elsewhere only for what the person wrote", async () => {
    const decided = await propose();
    decide(decided.id, 0, "dropped");
    await decided.review.withdraw("answered-elsewhere");
    expect(info(decided.id)).toBeUndefined();
    const edited = await propose();
    type(edited.id, 0, 0, "mine ");
    expect(await edited.review.withdraw("answered-elsewhere")).toBe(`mine ${NEW}`);
    expect(info(edited.id)?.kind).toBe("orphaned");
    expect(await edited.review.withdraw("stopping")).toBe(`mine ${NEW}`);
  });
});

describe("a proposal that is withdrawn while it is being accepted", () => {
  it("is not called accepted, and keeps what the person did", async () => {
    const { id, review } = await propose();
    decide(id, 0, "dropped");
    const accepting = accept(id);
    await review.withdraw("disconnected");
    await expect(accepting).rejects.toThrow(/Nobody waits/);
    expect(info(id)?.kind).toBe("orphaned");
    expect(await settled(review)).toBeNull();
  });
});

describe("drafts", () => {
  const drafts = () => readdir(join(stateDir, "drafts"));

  it("come back after a crash with decisions and edits, as orphaned", async () => {
    const { id } = await propose();
    decide(id, 1, "dropped");
    type(id, 0, 0, "mine ");
    await until(async () => JSON.stringify(await kept(id))).toContain("mine ONE");
    reviews = await start();
    expect(info(id)).toMatchObject({ kind: "orphaned", tally: { edited: 1, dropped: 1 } });
    expect(shown(id)).toBe("mine ONE\ntwo\nthree\nfour\nfive\n");
    expect(snapshot(id).base).toBe(OLD);
  });

  it("have what was typed before the pause that ends a step", async () => {
    const { id } = await propose();
    decide(id, 1, "dropped");
    type(id, 0, 0, "half a w");
    await until(async () => JSON.stringify(await kept(id))).toContain("half a wONE");
    const draft = await kept(id);
    expect(draft.shown).toBe("half a wONE\ntwo\nthree\nfour\nfive\n");
    expect(draft.hunks.map(({ decision }: { decision: string }) => decision)).toEqual([
      "edited",
      "dropped",
    ]);
  });

  it("are for this user only, and gone when the proposal is answered", async () => {
    const { id } = await propose();
    await until(drafts).toEqual([`${id}.json`]);
    const { mode } = await stat(join(stateDir, "drafts", `${id}.json`));
    expect(mode & 0o777).toBe(0o600);
    await accept(id);
    await until(drafts).toEqual([]);
  });

  it("of the person's are not pushed out by those that an agent leaves", async () => {
    const { id } = await propose();
    decide(id, "rest", "dropped");
    for (let more = 0; more < 60; more++) await propose();
    await reviews[Symbol.asyncDispose]();
    reviews = await start();
    expect(Object.keys(store.state.proposals)).toHaveLength(50);
    expect(info(id)).toMatchObject({ kind: "orphaned", tally: { dropped: 2 } });
  });

  it("that cannot be read are set aside, and old ones are removed", async () => {
    const at = join(stateDir, "drafts");
    await writeFile(join(at, "broken.json"), '{"format":1,');
    await writeFile(join(at, "foreign.json"), '{"format":1,"id":"x"}');
    await writeFile(join(at, "old.json"), "{}");
    const longAgo = new Date(Date.now() - 8 * 24 * 60 * 60 * 1_000);
    await utimes(join(at, "old.json"), longAgo, longAgo);
    reviews = await start();
    expect(store.state.proposals).toEqual({});
    expect((await drafts()).sort()).toEqual(["broken.json.unreadable", "foreign.json.unreadable"]);
    expect(problems).toHaveLength(2);
  });

  it("whose hunks do not fit their base are compared anew", async () => {
    const { id } = await propose();
    await until(drafts).toEqual([`${id}.json`]);
    const draft = await kept(id);
    draft.hunks[0].to = 99;
    await writeFile(join(stateDir, "drafts", `${id}.json`), JSON.stringify(draft));
    reviews = await start();
    expect(info(id)?.tally).toMatchObject({ pending: 2 });
    expect(shown(id)).toBe(NEW);
  });

  const kept = async (id: string) =>
    JSON.parse(await readFile(join(stateDir, "drafts", `${id}.json`), "utf8").catch(() => "null"));
});

describe("a merge of the person's own edits", () => {
  const MINE = "one\ntwo\nthree\nfour\nmine\n";

  async function merging(theirs: string) {
    const path = join(folder, "merged.ts");
    const uri = fileUri(path);
    await writeFile(path, theirs);
    documents.add(uri, MINE, true);
    reviews.openMerge({ uri, base: OLD, mine: MINE, theirs });
    const [id = ""] = Object.keys(store.state.proposals);
    return { id, uri };
  }

  it("is in the queue as one, and its result is written into the document", async () => {
    const { id, uri } = await merging(OLD.replace("one", "theirs"));
    expect(info(id)).toMatchObject({ kind: "merge", dirty: true, moved: true });
    await accept(id);
    expect(documents.get(uri)?.shared.toString()).toBe("theirs\ntwo\nthree\nfour\nmine\n");
    expect(info(id)).toBeUndefined();
  });

  it("asks where both changed the same", async () => {
    const { id, uri } = await merging(OLD.replace("five", "theirs"));
    await expect(accept(id)).rejects.toThrow(/keep or drop/);
    decide(id, 0, "kept");
    await accept(id);
    expect(documents.get(uri)?.shared.toString()).toBe(MINE);
  });

  it("leaves everything as it was when it is dismissed", async () => {
    const { id, uri } = await merging(OLD.replace("one", "theirs"));
    reviews.handlers["review.dismiss"]({ id }, window);
    expect(documents.get(uri)?.shared.toString()).toBe(MINE);
    expect(store.state.proposals).toEqual({});
  });

  it("does not overwrite what was typed into the document meanwhile", async () => {
    const { id, uri } = await merging(OLD.replace("one", "theirs"));
    documents.edit(uri, { from: 0, insert: "more " });
    await expect(accept(id)).rejects.toThrow(/merge again/);
    expect(documents.get(uri)?.shared.toString()).toBe(`more ${MINE}`);
    expect(info(id)).toBeDefined();
  });
});

describe("a large proposal", () => {
  const line = (at: number) => `the line ${at} of a text that is long enough to be large`;
  const large = Array.from({ length: 20_000 }, (_, at) => line(at));
  const edited = large.map((text, at) => (at % 10 === 5 ? `${text}, edited` : text));

  it("has its hunks computed aside, with progress, while it can be accepted at once", async () => {
    const first = await propose(large.join("\n"), edited.join("\n"));
    expect(info(first.id)).toMatchObject({ tally: null, progress: 0 });
    expect(snapshot(first.id).hunks).toBeNull();
    await accept(first.id);
    expect(await first.review.outcome).toMatchObject({ kind: "accepted", text: edited.join("\n") });

    const second = await propose(large.join("\n"), edited.join("\n"));
    const progress: number[] = [];
    store.subscribe(() => progress.push(info(second.id)?.progress ?? 0));
    expect(() => decide(second.id, 0, "kept")).toThrow(/still being compared/);
    await until(() => info(second.id)?.tally?.pending).toBe(2_000);
    expect(progress.some((fraction) => fraction > 0 && fraction < 1)).toBe(true);
  });

  it("takes in what was typed and what the file did while the hunks were computed", async () => {
    const { id, path, review } = await propose(large.join("\n"), edited.join("\n"));
    type(id, 0, 0, "mine ");
    await writeFile(path, [...large, "added below"].join("\n"));
    await reviews.noticeDisk([path]);
    await until(() => info(id)?.tally).toMatchObject({ pending: 2_000, edited: 1 });
    await accept(id);
    const text = `mine ${[...edited, "added below"].join("\n")}`;
    expect(await review.outcome).toEqual({ kind: "accepted", text });
  });
});
