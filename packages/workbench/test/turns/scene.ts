import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import type { TurnFileInfo, TurnInfo } from "../../src/contract/index.js";
import type { PageClient } from "../page-client.js";
import { WorkbenchScene } from "../workbench-scene.js";

/** A text, and what has become of it in a turn: three of its lines are others. */
export const before = [
  "one",
  "two",
  "three",
  "four",
  "five",
  "six",
  "seven",
  "eight",
  "nine",
  "",
].join("\n");
export const after = [
  "ONE",
  "two",
  "three",
  "FOUR",
  "five",
  "six",
  "SEVEN",
  "eight",
  "nine",
  "",
].join("\n");

interface Starting {
  readonly git?: boolean;
  readonly prepare?: (folder: string) => void | Promise<void>;
}

/** A workbench in which turns are taken, with a page before it. */
export class TurnScene implements AsyncDisposable {
  readonly bench: WorkbenchScene;
  page: PageClient;

  private constructor(bench: WorkbenchScene, page: PageClient) {
    this.bench = bench;
    this.page = page;
  }

  /** With `git` all of it is committed; `prepare` comes before that. */
  static async open(
    files: Readonly<Record<string, string>>,
    { git = false, prepare = () => {} }: Starting = {},
  ): Promise<TurnScene> {
    const bench = await WorkbenchScene.open(files, {}, async (folder) => {
      await prepare(folder);
      if (git) commitAll(folder);
    });
    const scene = new TurnScene(bench, await bench.page());
    await scene.#ready();
    return scene;
  }

  /** An agent is sent a prompt; answers the turn that begins. */
  async prompt(name = "Claude Code", id = name): Promise<TurnInfo> {
    const before = this.running.id;
    this.bench.workbench.abilities.activity?.({ kind: "turn", agent: { id, name } });
    const state = await this.page.until(
      ({ turns }) => runningOf(turns).id !== before && runningOf(turns).agent === name,
    );
    return runningOf(state.turns);
  }

  get running(): TurnInfo {
    return runningOf(this.page.state.turns);
  }

  /** The files of the turn, once they are so. */
  async files(
    holds: (files: readonly TurnFileInfo[]) => boolean,
    turn = this.running.id,
  ): Promise<readonly TurnFileInfo[]> {
    let stop = () => {};
    try {
      return await new Promise((resolve, reject) => {
        const look = () =>
          this.page
            .call("turn.files", { turn })
            .then((files) => holds(files) && resolve(files), reject);
        stop = this.page.on("turn.changed", () => void look());
        void look();
      });
    } finally {
      stop();
    }
  }

  /** The only file of the turn. */
  async file(kind: TurnFileInfo["kind"], turn = this.running.id): Promise<TurnFileInfo> {
    const [file] = await this.files((all) => all.length === 1 && all[0]?.kind === kind, turn);
    if (!file) throw new Error("No file");
    return file;
  }

  bytes(name: string): Buffer {
    return readFileSync(this.bench.path(name));
  }

  async restart(): Promise<void> {
    await this.bench.restart();
    this.page = await this.bench.page();
    await this.#ready();
  }

  /** Files can be compared with what they were from now on. */
  async #ready(): Promise<void> {
    await this.page.until(({ turns }) => Object.values(turns).some(({ until }) => until === null));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.bench[Symbol.asyncDispose]();
  }
}

const runningOf = (turns: Readonly<Record<string, TurnInfo>>): TurnInfo => {
  const running = Object.values(turns).filter(({ until }) => until === null);
  const [found] = running.sort((a, b) => b.since - a.since);
  if (!found) throw new Error("No turn runs");
  return found;
};

export function commitAll(folder: string): void {
  const git = (...args: string[]) => execFileSync("git", args, { cwd: folder, stdio: "pipe" });
  git("init", "-q");
  git("add", "-A");
  git("-c", "user.name=Ada", "-c", "user.email=ada@example.org", "commit", "-q", "-m", "all");
}
