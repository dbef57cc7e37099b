import type { Abilities } from "@lockstep/editor";
import type { Incoming, Profile, ToolContract, ToolInput, ToolResult } from "@lockstep/protocol";
import type { Session } from "../../core/session.js";

/** Whose words replies use, where two documented editors differ. */
export type Dialect = "vscode" | "jetbrains";

export interface ToolContext {
  readonly session: Session;
  readonly profile: Profile;
  readonly dialect: Dialect;
  readonly incoming: Incoming;
}

/** A tool of the Claude dialect: its contract, whether an editor can do it, and doing it. */
export interface Tool<Contract extends ToolContract = ToolContract> {
  readonly contract: Contract;
  readonly available: (abilities: Abilities) => boolean;
  /** What an agent reads that calls it all the same; a sentence that says what it takes. */
  readonly unavailable?: string;
  readonly call: (
    input: ToolInput<Contract>,
    context: ToolContext,
  ) => ToolResult | Promise<ToolResult>;
}

/** Ties the input's type to its schema. The toolbox has checked it when `call` is reached. */
export function defineTool<Contract extends ToolContract>(tool: Tool<Contract>): Tool {
  return tool as unknown as Tool;
}
