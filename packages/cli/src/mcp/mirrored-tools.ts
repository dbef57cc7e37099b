import type { IdeConnection } from "@lockstep/client";
import { describeTool } from "@lockstep/protocol";
import type { Tool } from "@modelcontextprotocol/server";
import { documentedTools, isPermitted, isReadOnly } from "./permitted-tools.js";

/** An editor that does not answer must not hold the agent's start. */
const LIST_MS = 10_000;
/** More pages than any editor has. */
const MOST_PAGES = 20;

/** The tools that an agent is offered: the editor's own, as it describes them. */
export async function mirroredTools(
  connection: IdeConnection | null,
  allowWrites: boolean,
): Promise<Tool[]> {
  const listed = connection
    ? await toolsOf(connection)
    : documentedTools(allowWrites).map(describeTool);
  const tools = new Map<string, Tool>();
  for (const tool of listed.map(readTool)) {
    if (tool && isPermitted(tool.name, allowWrites) && !tools.has(tool.name))
      tools.set(tool.name, tool);
  }
  return [...tools.values()];
}

async function toolsOf(connection: IdeConnection): Promise<readonly unknown[]> {
  const all: unknown[] = [];
  let cursor: unknown;
  for (let page = 0; page < MOST_PAGES; page++) {
    const reply = await connection.request("tools/list", cursor === undefined ? {} : { cursor }, {
      timeoutMs: LIST_MS,
    });
    const { tools, nextCursor } = (reply ?? {}) as { tools?: unknown; nextCursor?: unknown };
    if (Array.isArray(tools)) all.push(...tools);
    if (typeof nextCursor !== "string") break;
    cursor = nextCursor;
  }
  return all;
}

/** A tool as it came, with what MCP requires of it; null for what is none. */
function readTool(value: unknown): Tool | null {
  if (!isRecord(value) || typeof value.name !== "string") return null;
  const { inputSchema, annotations } = value;
  const schema = isRecord(inputSchema) && inputSchema.type === "object" ? inputSchema : EMPTY;
  // Of a known tool we know better than the editor whether it changes anything.
  const readOnlyHint = isReadOnly(value.name);
  const hints = {
    ...(isRecord(annotations) ? annotations : {}),
    ...(readOnlyHint === undefined ? {} : { readOnlyHint }),
  };
  return { ...value, name: value.name, inputSchema: schema, annotations: hints } as Tool;
}

const EMPTY = { type: "object" } as const;

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
