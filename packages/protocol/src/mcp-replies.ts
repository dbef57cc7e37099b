import * as z from "zod/mini";
import { ImageContent, TextContent } from "./mcp.js";

/** The answer to initialize, as much of it as a client wants to know. */
export const InitializeReply = z.object({
  protocolVersion: z.optional(z.string()),
  serverInfo: z.optional(z.object({ name: z.string(), version: z.optional(z.string()) })),
});

export const ToolDescription = z.object({
  name: z.string(),
  description: z.optional(z.string()),
  inputSchema: z.optional(z.unknown()),
});
export type ToolDescription = z.infer<typeof ToolDescription>;

/** The answer to tools/list. */
export const ToolListReply = z.object({ tools: z.array(ToolDescription) });

/** Those of MCP 2025-11-25. A later version's comes under its own name: have a default for it. */
type OtherType = "audio" | "resource" | "resource_link";

const KNOWN_TYPES: readonly unknown[] = ["text", "image"];

/** MCP gains types of content with its versions; one that is not known here is kept as it came. */
const OtherContent = z.looseObject({
  type: z.custom<OtherType>((type) => typeof type === "string" && !KNOWN_TYPES.includes(type)),
});

/** One item of the answer to tools/call. Fields besides the documented ones are kept. */
export const ToolReplyContent = z.union([
  z.looseObject(TextContent.shape),
  z.looseObject(ImageContent.shape),
  OtherContent,
]);
export type ToolReplyContent = z.infer<typeof ToolReplyContent>;

/** The answer to tools/call, from whatever server: nothing of it is dropped. */
export const ToolResultReply = z.looseObject({
  content: z.array(ToolReplyContent),
  isError: z.optional(z.boolean()),
});
export type ToolResultReply = z.infer<typeof ToolResultReply>;
