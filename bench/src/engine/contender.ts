import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { machineTime } from "../clock.js";
import type { Memory, Order, Place, Report, Stroll } from "./channel.js";

/** The servers that are compared; the first is what the others are measured against. */
export const CONTENDERS = ["raw", "sdk", "lockstep"] as const;
export type ContenderName = (typeof CONTENDERS)[number];

type ReportOf<Kind extends Report["kind"]> = Extract<Report, { kind: Kind }>;

/** A server in a process of its own, and the bench's line to it. */
export class Contender {
  readonly name: ContenderName;
  /** Just before the process was made, in machine time. */
  readonly startedAt: number;
  /** When the lock file was there, in machine time. */
  readonly lockedAt: number;
  readonly port: number;
  /** As an agent reads it from the lock file. */
  readonly token: string;
  readonly #process: ChildProcess;

  private constructor(
    name: ContenderName,
    child: ChildProcess,
    ready: ReportOf<"ready">,
    startedAt: number,
  ) {
    this.name = name;
    this.#process = child;
    this.startedAt = startedAt;
    this.lockedAt = ready.lockedAt;
    this.port = ready.port;
    const lock = JSON.parse(readFileSync(ready.lockFile, "utf8")) as { authToken: string };
    this.token = lock.authToken;
  }

  static async start(name: ContenderName, place: Place): Promise<Contender> {
    const program = fileURLToPath(new URL(`./servers/${name}.js`, import.meta.url));
    const startedAt = machineTime();
    const child = fork(program, [JSON.stringify(place)], { execArgv: ["--expose-gc"] });
    return new Contender(name, child, await reported(child, "ready"), startedAt);
  }

  async weigh(): Promise<Memory> {
    return (await this.#ask({ kind: "weigh" }, "weighed")).memory;
  }

  async stroll(stroll: Stroll): Promise<readonly number[]> {
    return (await this.#ask({ kind: "stroll", stroll }, "strolled")).selectedAt;
  }

  async stop(): Promise<void> {
    const exited = once(this.#process, "exit");
    this.#process.send({ kind: "stop" } satisfies Order);
    await exited;
  }

  #ask<Kind extends Report["kind"]>(order: Order, kind: Kind): Promise<ReportOf<Kind>> {
    const answer = reported(this.#process, kind);
    this.#process.send(order);
    return answer;
  }
}

/** The next report, which has to be of this kind. */
function reported<Kind extends Report["kind"]>(
  child: ChildProcess,
  kind: Kind,
): Promise<ReportOf<Kind>> {
  return new Promise((resolve, reject) => {
    const onExit = () => {
      child.off("message", onMessage);
      reject(new Error(`The server ended before it was ${kind}`));
    };
    const onMessage = (message: unknown) => {
      child.off("exit", onExit);
      const report = message as Report;
      if (report.kind === kind) resolve(report as ReportOf<Kind>);
      else reject(new Error(`Expected ${kind}, the server said ${report.kind}`));
    };
    child.once("message", onMessage);
    child.once("exit", onExit);
  });
}
