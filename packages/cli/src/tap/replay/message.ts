import { isObject, type JsonObject, parseJson } from "../json.js";

/** A message of JSON-RPC, told by the fields that it has. */
export type Told =
  | { readonly kind: "request"; readonly id: unknown; readonly message: JsonObject }
  | { readonly kind: "notification"; readonly message: JsonObject }
  | { readonly kind: "answer"; readonly id: unknown; readonly message: JsonObject }
  /** A batch, or nothing that anybody understands. */
  | { readonly kind: "other" };

export function tell(text: string): Told {
  const message = parseJson(text);
  if (!isObject(message)) return { kind: "other" };
  const { id, method } = message;
  if (typeof method === "string")
    return id === undefined ? { kind: "notification", message } : { kind: "request", id, message };
  return id === undefined || id === null ? { kind: "other" } : { kind: "answer", id, message };
}

/** What is asked for, in a word: a tool's name says more than that a tool is called. */
export function subjectOf({ method, params }: JsonObject): string {
  const tool = method === "tools/call" && isObject(params) ? params.name : undefined;
  return typeof tool === "string" ? tool : String(method);
}

/** 1 and "1" are different ids. */
export const idKey = (id: unknown): string => JSON.stringify(id) ?? "";
