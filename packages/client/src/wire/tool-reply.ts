import {
  readBy,
  type Schema,
  type SchemaOutput,
  type ToolReplyContent,
  ToolResultReply,
} from "@lockstep/protocol";
import { notUnderstood, toolFailed } from "../errors.js";

/** What a tool answered, ready to be read. A tool that failed has thrown before there is one. */
export class ToolReply {
  readonly #tool: string;
  readonly content: readonly ToolReplyContent[];

  constructor(tool: string, result: unknown) {
    const { content, isError } = readToolResult(tool, result);
    this.#tool = tool;
    this.content = content;
    if (isError) throw toolFailed(tool, this.texts.join("\n"));
  }

  get texts(): readonly string[] {
    return this.content.flatMap((item) => (item.type === "text" ? [item.text] : []));
  }

  get text(): string {
    return this.texts[0] ?? "";
  }

  /** The first text as JSON; undefined where it is none, as a sentence is not. */
  get data(): unknown {
    try {
      return JSON.parse(this.text);
    } catch {
      return undefined;
    }
  }

  /** Data of this shape, or an error. */
  as<Shape extends Schema>(shape: Shape): SchemaOutput<Shape> {
    const reading = readBy(shape, this.data);
    if (reading.ok) return reading.data;
    throw notUnderstood(this.#tool);
  }
}

export function readToolResult(tool: string, result: unknown): ToolResultReply {
  const { data } = ToolResultReply.safeParse(result);
  if (!data) throw notUnderstood(tool);
  return data;
}
