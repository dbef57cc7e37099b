export type Json = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A message of the other side; its text where it is not JSON. */
export function readMessage(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Whether it answers the request of that id. */
export function isAnswer(message: unknown, id: unknown): message is Json {
  return isObject(message) && message.id === id && !("method" in message);
}

/** Nothing of this is a request that could be answered. */
export const NO_MESSAGES: readonly string[] = [
  "null",
  "42",
  '"text"',
  "[]",
  "{",
  "",
  "{}",
  '{"jsonrpc":"2.0"}',
  '{"jsonrpc":"2.0","method":7}',
  '{"jsonrpc":"2.0","id":null,"result":null}',
];
