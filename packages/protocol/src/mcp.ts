import * as z from "zod/mini";

/** Oldest first. A client that asks for another one is answered with the newest. */
export const PROTOCOL_VERSIONS = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] as const;
export type ProtocolVersion = (typeof PROTOCOL_VERSIONS)[number];
export const LATEST_PROTOCOL_VERSION: ProtocolVersion = "2025-11-25";

export function negotiateVersion(asked: string | undefined): ProtocolVersion {
  return PROTOCOL_VERSIONS.find((version) => version === asked) ?? LATEST_PROTOCOL_VERSION;
}

/** Hand-written clients leave out much of what MCP requires; nothing here is worth refusing them. */
export const InitializeParams = z.object({
  protocolVersion: z.optional(z.string()),
  clientInfo: z.optional(
    z.object({
      name: z.optional(z.string()),
      title: z.optional(z.string()),
      version: z.optional(z.string()),
    }),
  ),
});

export const CallToolParams = z.object({
  name: z.string(),
  /** Absent and null mean no arguments. */
  arguments: z.nullish(z.record(z.string(), z.unknown())),
});

export const TextContent = z.object({ type: z.literal("text"), text: z.string() });
export type TextContent = z.infer<typeof TextContent>;

export const ImageContent = z.object({
  type: z.literal("image"),
  data: z.string(),
  mimeType: z.string(),
});

export const ToolResult = z.object({
  content: z.array(z.union([TextContent, ImageContent])),
  isError: z.optional(z.boolean()),
});
export type ToolResult = z.infer<typeof ToolResult>;

/** A result of plain texts, in order. */
export function textResult(...texts: readonly string[]): ToolResult {
  return { content: texts.map((text) => ({ type: "text", text })) };
}

/** A tool that failed says so in its result: the agent reads the sentence and goes on. */
export function errorResult(message: string): ToolResult {
  return { ...textResult(message), isError: true };
}

/** A result that is data: one text of indented JSON, as the official VS Code extension sends it. */
export function jsonResult(value: unknown): ToolResult {
  return textResult(JSON.stringify(value, null, 2));
}
