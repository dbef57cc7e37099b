import type { Core } from "../core/core.js";

/**
 * One wire dialect: how agents find the editor, by what transport they come, which tools they are
 * offered and how replies are worded. The core knows none of it; a face knows no editor.
 */
export type Face<Opened extends OpenFace> = (core: Core) => Promise<Opened>;

export interface OpenFace {
  /** What an agent started in a terminal of the editor needs in its environment. */
  environment(base: Readonly<NodeJS.ProcessEnv>): Record<string, string>;
  /** Withdraws the announcement, then drops every agent without answering for the person. */
  close(): Promise<void>;
}
