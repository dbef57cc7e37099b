import { Fault } from "../check.js";
import type { AgentLine } from "./agent-line.js";
import type { ScriptedIde } from "./scripted-ide.js";

export interface AgentPatience {
  /** For the agent to start and connect. */
  readonly startMs?: number;
  /** For an answer. */
  readonly answerMs?: number;
}

/** An agent that was told of the scripted editor. */
export class AgentUnderTest {
  readonly ide: ScriptedIde;
  readonly startMs: number;
  readonly answerMs: number;

  constructor(ide: ScriptedIde, { startMs = 60_000, answerMs = 5_000 }: AgentPatience) {
    this.ide = ide;
    this.startMs = startMs;
    this.answerMs = answerMs;
  }

  /** Its first connection. */
  async line(): Promise<AgentLine> {
    const line = await this.ide.lines.next(() => true, this.startMs);
    if (!line) throw new Fault("the agent did not connect");
    return line;
  }
}
