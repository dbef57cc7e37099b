import type { BadServer, Json } from "../bad-server.js";
import { textsOf, withTexts } from "./texts.js";

export function having(name: string, value: unknown): (object: Json) => Json {
  return (object) => ({ ...object, [name]: value });
}

export function lacking(...names: readonly string[]): (object: Json) => Json {
  return (object) =>
    Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}

/** Changes what one tool answers. */
export function answering(tool: string, change: (message: Json) => Json): BadServer["reply"] {
  return (message, about) => (about.tool === tool && message.result ? change(message) : message);
}

/** Changes what one tool answers, where that is data. */
export function telling(tool: string, change: (data: Json) => Json): BadServer["reply"] {
  return answering(tool, (message) => {
    const [text = "{}"] = textsOf(message);
    return withTexts(message, JSON.stringify(change(JSON.parse(text))));
  });
}

/** Changes the answer to initialize, which alone names the server. */
export function introducing(change: (result: Json) => Json): BadServer["reply"] {
  return (message) => {
    const result = message.result as Json | undefined;
    return result?.serverInfo ? { ...message, result: change(result) } : message;
  };
}

/** Changes an error of that code. */
export function failing(code: number, change: (message: Json) => Json): BadServer["reply"] {
  return (message) => {
    const error = message.error as { code?: number } | undefined;
    return error?.code === code ? change(message) : message;
  };
}
