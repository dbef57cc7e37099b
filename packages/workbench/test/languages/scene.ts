import type { Agent, Call, FileDiagnostics } from "@lockstep/editor";
import type { WorkbenchScene } from "../workbench-scene.js";

export const TSCONFIG = JSON.stringify({
  compilerOptions: { strict: true, module: "nodenext", target: "es2022", noEmit: true },
  include: ["src"],
});

/** A project of modules. */
export const MODULES = { "tsconfig.json": TSCONFIG, "package.json": '{"type":"module"}' };

const agent: Agent = { id: "agent", name: "Claude Code" };

/** A call by an agent that nobody takes back. */
export const call: Call = { agent, signal: new AbortController().signal };

/** What an agent asks of a workbench, and how it reads the answer. */
export class Asking {
  constructor(readonly scene: WorkbenchScene) {}

  /** An agent was sent a prompt. */
  turn(): void {
    this.scene.workbench.abilities.activity?.({ kind: "turn", agent });
  }

  /** Before a write: what is wrong with the file as "line:message". */
  async baseline(name: string): Promise<readonly string[]> {
    const [file] = await this.#diagnostics({ uri: this.scene.uri(name), settleMs: 350 });
    return lines(file);
  }

  /** After a write: what is wrong with any file. */
  async all(): Promise<Readonly<Record<string, readonly string[]>>> {
    const files = await this.#diagnostics({ settleMs: 1_700 });
    return Object.fromEntries(
      files.map((file) => [file.uri.slice(this.scene.uri("x").length - 1), lines(file)]),
    );
  }

  async #diagnostics(request: { uri?: ReturnType<WorkbenchScene["uri"]>; settleMs: number }) {
    const { diagnostics } = this.scene.workbench.abilities;
    if (!diagnostics) throw new Error("No diagnostics");
    return diagnostics(request, call);
  }
}

const lines = (file: FileDiagnostics | undefined): readonly string[] =>
  (file?.items ?? []).map(({ range, message }) => `${range.start.line}: ${message}`);
