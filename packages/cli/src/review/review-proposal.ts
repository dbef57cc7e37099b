import type { PageClient } from "@lockstep/workbench";
import type { HunkInfo, ProposalInfo, ReviewSnapshot } from "@lockstep/workbench/contract";
import { editLines } from "./edit-lines.js";
import { shownLine } from "./hunk-text.js";
import { printHunk, readHunk } from "./print-hunk.js";
import type { Terminal } from "./terminal.js";

/** "later": it stays as it is, for another time. "quit": the person has had enough. */
export type End = "sent" | "gone" | "later" | "quit";

const KEYS =
  "k keep · d drop · e edit · u undo · n next · b back · A accept · R reject · l later · q quit";

/** Takes a person through a proposal, hunk by hunk, until it is sent or put off. */
export class ProposalReview {
  readonly #page: PageClient;
  readonly #terminal: Terminal;
  readonly #info: ProposalInfo;
  readonly #env: NodeJS.ProcessEnv;
  #snapshot: ReviewSnapshot;
  #at = 0;

  private constructor(
    page: PageClient,
    terminal: Terminal,
    info: ProposalInfo,
    snapshot: ReviewSnapshot,
    env: NodeJS.ProcessEnv,
  ) {
    this.#page = page;
    this.#terminal = terminal;
    this.#info = info;
    this.#snapshot = snapshot;
    this.#env = env;
  }

  static async run(
    page: PageClient,
    terminal: Terminal,
    info: ProposalInfo,
    env: NodeJS.ProcessEnv,
  ): Promise<End> {
    const { id } = info;
    // The hunks of a large one take a moment.
    await page.until(({ proposals }) => proposals[id]?.tally !== null);
    if (!page.state.proposals[id]) return "gone";
    const snapshot = await page.call("review.attach", { id });
    const review = new ProposalReview(page, terminal, info, snapshot, env);
    try {
      return await review.#loop();
    } finally {
      await page.call("text.detach", { name: `proposal:${id}` }).catch(() => {});
    }
  }

  get #hunks(): readonly HunkInfo[] {
    return this.#snapshot.hunks ?? [];
  }

  async #loop(): Promise<End> {
    const { say, quote, paint } = this.#terminal;
    const { label, place, agent, newFile, outside } = this.#info;
    const path = place === "" ? label : `${place}/${label}`;
    say("");
    say(paint.bold(quote(`${path}, proposed by ${agent.name}${newFile ? " as a new file" : ""}`)));
    if (outside) say(paint.yellow("This file is outside of the workspace."));
    for (;;) {
      const end = await this.#step();
      if (end) return end;
    }
  }

  /** One question and its answer; null to go on. */
  async #step(): Promise<End | null> {
    const { say, paint } = this.#terminal;
    const hunk = this.#hunks[this.#at];
    if (hunk) printHunk(this.#terminal, this.#snapshot, hunk);
    else if (this.#hunks.length === 0) say("It changes nothing: the file is like that already.");
    else say(`${paint.bold("That was all.")} ${this.#tally()}`);
    const answer = await this.#terminal.ask(
      hunk ? `[${this.#at + 1}/${this.#hunks.length}] k d e u n b A R l q ?` : "A R u b l q ?",
    );
    if (!this.#page.state.proposals[this.#info.id]) {
      say("It was answered elsewhere, or taken back.");
      return "gone";
    }
    if (answer === null) return "quit";
    try {
      return await this.#obey(answer, hunk);
    } catch (error) {
      say(paint.red((error as Error).message));
      await this.#refresh();
      return null;
    }
  }

  async #obey(answer: string, hunk: HunkInfo | undefined): Promise<End | null> {
    const { id } = this.#info;
    switch (answer) {
      case "k":
      case "d":
        if (!hunk) return null;
        await this.#page.call("review.decide", {
          ...{ id, hunk: hunk.id },
          decision: answer === "k" ? "kept" : "dropped",
        });
        return this.#goOn();
      case "e":
        return hunk ? this.#edit(hunk) : null;
      case "u":
        await this.#page.call("review.undo", { id });
        await this.#refresh();
        return null;
      case "n":
      case "":
        this.#at = Math.min(this.#at + 1, this.#hunks.length);
        return null;
      case "b":
        this.#at = Math.max(0, this.#at - 1);
        return null;
      case "A":
        return this.#accept();
      case "R":
        return this.#reject();
      case "l":
        return "later";
      case "q":
        return "quit";
      default:
        this.#terminal.say(`${KEYS}\nA and R are capital letters: they send the answer.`);
        return null;
    }
  }

  async #accept(): Promise<End> {
    const { id } = this.#info;
    const { moves } = this.#snapshot;
    await this.#page.call("review.accept", { id, moves });
    this.#terminal.say(this.#terminal.paint.green("Accepted; the agent writes the file."));
    return "sent";
  }

  async #reject(): Promise<End | null> {
    const reason = await this.#terminal.ask("Why? (Enter for no reason)");
    if (reason === null) return "quit";
    const { reason: went } = await this.#page.call("review.reject", {
      id: this.#info.id,
      ...(reason === "" ? {} : { reason }),
    });
    this.#terminal.say(this.#terminal.paint.green("Rejected."));
    if (went === "copy") {
      this.#terminal.say("This agent does not read reasons: tell it yourself in its terminal.");
    } else if (went === "typed") {
      this.#terminal.say("Your reason is typed at the agent's prompt, for you to send.");
    }
    return "sent";
  }

  /** The person's own editor changes the hunk's lines on the right side. */
  async #edit(hunk: HunkInfo): Promise<null> {
    const { id, label } = this.#info;
    if (hunk.lines !== undefined) {
      // Its lines are not on the right side: they come there by keeping it.
      await this.#page.call("review.decide", { id, hunk: hunk.id, decision: "kept" });
      await this.#refresh();
    }
    const now = this.#hunks[this.#at];
    if (!now) return null;
    const old = readHunk(this.#snapshot, now).added;
    const lines = await this.#terminal.lend(() => editLines(old, label, this.#env));
    if (lines === null) {
      this.#terminal.say("The editor failed; nothing was changed.");
      return null;
    }
    await this.#replace(shownLine(this.#hunks, now), old.length, lines);
    return this.#goOn();
  }

  async #replace(line: number, count: number, lines: readonly string[]): Promise<void> {
    const { shown } = this.#snapshot;
    const all = shown.text.split("\n");
    const end = line + count;
    const next = [...all.slice(0, line), ...lines, ...all.slice(end)];
    const change = wholeChange(shown.text, next.join("\n"));
    if (!change) return;
    const { epoch, version } = shown;
    const updates = [{ clientID: "terminal", changes: change }];
    const name = `proposal:${this.#info.id}`;
    if (!(await this.#page.call("text.push", { name, epoch, version, updates })))
      throw new Error("Somebody else has changed it meanwhile: look again.");
  }

  async #goOn(): Promise<null> {
    this.#at++;
    await this.#refresh();
    return null;
  }

  async #refresh(): Promise<void> {
    this.#snapshot = await this.#page.call("review.attach", { id: this.#info.id });
  }

  #tally(): string {
    const { tally } = this.#page.state.proposals[this.#info.id] ?? {};
    if (!tally) return "";
    const { pending, kept, dropped, edited } = tally;
    const words = [
      [kept, "kept"],
      [edited, "edited"],
      [dropped, "dropped"],
      [pending, "undecided (kept, if you accept)"],
    ] as const;
    return words
      .filter(([count]) => count > 0)
      .map(([count, word]) => `${count} ${word}`)
      .join(", ");
  }
}

/** From one text to another as CodeMirror writes a change: what both have at the ends stays. */
function wholeChange(before: string, after: string): unknown[] | null {
  if (before === after) return null;
  let start = 0;
  while (start < before.length && before[start] === after[start]) start++;
  let end = 0;
  const most = Math.min(before.length, after.length) - start;
  while (end < most && before.at(-1 - end) === after.at(-1 - end)) end++;
  const inserted = after.slice(start, after.length - end);
  const replaced = before.length - start - end;
  return [
    ...(start > 0 ? [start] : []),
    inserted === "" ? [replaced] : [replaced, ...inserted.split("\n")],
    ...(end > 0 ? [end] : []),
  ];
}
