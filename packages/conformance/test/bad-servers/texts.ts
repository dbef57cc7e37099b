import type { Json } from "../bad-server.js";

/** The texts of a tool's result; none of any other message. */
export function textsOf({ result }: Json): readonly string[] {
  const { content = [] } = (result ?? {}) as { content?: readonly { text: string }[] };
  return content.map(({ text }) => text);
}

/** The same message with other texts. */
export function withTexts(message: Json, ...texts: readonly string[]): Json {
  return { ...message, result: { content: texts.map((text) => ({ type: "text", text })) } };
}

type Position = { line: number; character: number };

/** Applies a change to every position that a message holds, in a push or in a tool's JSON. */
export function mapPositions(message: Json, change: (position: Position) => Position): Json {
  const bend = (text: string) =>
    JSON.stringify(JSON.parse(text), (_key, value) =>
      typeof value?.line === "number" && typeof value.character === "number"
        ? change(value)
        : value,
    );
  if (message.method) return JSON.parse(bend(JSON.stringify(message)));
  const [text = ""] = textsOf(message);
  return text.startsWith("{") || text.startsWith("[") ? withTexts(message, bend(text)) : message;
}
