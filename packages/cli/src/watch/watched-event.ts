import type { ToolDescription } from "@lockstep/client";

/** One thing that an editor told, or that became of the connection to it. */
export interface WatchedEvent {
  readonly time: string;
  /** The name on the wire; `connected`, `lost`, `restored` and `tools` are ours. */
  readonly event: string;
  /** As it came. */
  readonly params: unknown;
}

export interface ToolsParams {
  readonly tools: readonly string[];
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** What is new in a list of tools, and what is gone from it. */
export function toolChange(
  before: readonly string[],
  now: readonly ToolDescription[],
): ToolsParams {
  const tools = now.map(({ name }) => name);
  return {
    tools,
    added: tools.filter((name) => !before.includes(name)),
    removed: before.filter((name) => !tools.includes(name)),
  };
}
