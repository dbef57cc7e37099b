/** What a request is answered under. Never null; 0, negative and fractional numbers are valid. */
export type Id = string | number;

export const ErrorCode = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  /** Of those that each server may define: it answers as much as it can already. */
  busy: -32000,
  /** As well: it was understood, tried, and did not work; the message says what to do. */
  failed: -32001,
} as const;

/** An error that crosses the wire as it is: throw it from a request's answer. */
export class RpcError extends Error {
  override readonly name = "RpcError";

  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
  ) {
    super(message);
  }
}

export const methodNotFound = (): RpcError =>
  new RpcError(ErrorCode.methodNotFound, "Method not found");

export const invalidParams = (why: string): RpcError =>
  new RpcError(ErrorCode.invalidParams, `Invalid params: ${why}`);

/** One message as the peer sees it. `invalid` carries the id to answer under, null if there is none. */
export type Message =
  | { readonly kind: "request"; readonly id: Id; readonly method: string; readonly params: unknown }
  | { readonly kind: "notification"; readonly method: string; readonly params: unknown }
  | { readonly kind: "result"; readonly id: Id; readonly result: unknown }
  | { readonly kind: "error"; readonly id: Id | null; readonly error: RpcError }
  | { readonly kind: "invalid"; readonly id: Id | null; readonly why: string };

const isId = (value: unknown): value is Id =>
  typeof value === "string" || typeof value === "number";

/** Says what a parsed JSON value is in JSON-RPC 2.0. Total: any value gets a kind. */
export function classify(value: unknown): Message {
  if (typeof value !== "object" || value === null) {
    return { kind: "invalid", id: null, why: "a message must be an object" };
  }
  const { jsonrpc, id, method, params, result, error } = value as Record<string, unknown>;
  // Only what asks something is answered under its id: a broken response's id is one of ours.
  const known = isId(id) && method !== undefined ? id : null;
  if (jsonrpc !== "2.0") return { kind: "invalid", id: known, why: 'jsonrpc must be "2.0"' };
  if (typeof method === "string") {
    if (isId(id)) return { kind: "request", id, method, params };
    if (id === undefined) return { kind: "notification", method, params };
    return { kind: "invalid", id: null, why: "an id must be a string or a number" };
  }
  if (error !== undefined && error !== null) {
    return { kind: "error", id: isId(id) ? id : null, error: readError(error) };
  }
  // A language without "absent" drops a null result, or sends a null error beside it.
  if (method === undefined && isId(id)) return { kind: "result", id, result: result ?? null };
  return { kind: "invalid", id: known, why: "neither a request nor a response" };
}

/** A peer may send any shape as its error; what is missing is filled in rather than refused. */
function readError(value: unknown): RpcError {
  const { code, message, data } = (
    typeof value === "object" && value !== null ? value : {}
  ) as Record<string, unknown>;
  return new RpcError(
    typeof code === "number" ? code : ErrorCode.internal,
    typeof message === "string" ? message : "The other side gave no message",
    data,
  );
}
