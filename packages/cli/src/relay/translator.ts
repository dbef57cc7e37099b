import {
  classify,
  ErrorCode,
  errorResult,
  hasTooManyValues,
  type Id,
  invalidParams,
  mapPaths,
  Notification,
  RpcError,
  type Schema,
  vaultMethods,
} from "@lockstep/protocol";
import { parseJson } from "../tap/json.js";
import type { PathMap } from "./path-map.js";
import { NOTIFICATIONS, TOOL_INPUTS, TOOL_REPLIES, VAULT_REPLIES } from "./path-schemas.js";
import { translateName } from "./translate-name.js";

/** What becomes of an agent's message: it goes on to the editor, or is answered on the way. */
export type Passed = { readonly to: "editor" | "agent"; readonly text: string };

type Json = Record<string, unknown>;

/** A request of the agent's whose answer holds paths. */
interface Awaited {
  readonly kind: "tool" | "vault";
  readonly name: string;
}

/** More than any agent has under way; the oldest is forgotten, and its answer passes as it is. */
const MOST_AWAITED = 10_000;

/**
 * Translates the paths in one agent's conversation. A path of the agent's that lies outside of the map
 * is refused: by the same name the editor's machine may have another file. A path of the editor's that
 * lies outside is told as it is: it is a name, and opens nothing.
 */
export class Translator {
  readonly #paths: () => PathMap;
  readonly #awaited = new Map<Id, Awaited>();
  /** Names of proposals, which may look like paths. */
  readonly #tabs = new Set<string>();

  constructor(paths: () => PathMap) {
    this.#paths = paths;
  }

  /**
   * Always written anew: another parser might read a doubled key in another way than we did. What is no
   * message by the rules is refused: an editor that takes it for a call would get its paths as they are.
   */
  fromAgent(text: string): Passed {
    if (hasTooManyValues(text))
      return refusal(null, ErrorCode.invalidRequest, "Invalid request: too many values");
    const value = parseJson(text);
    if (value === undefined)
      return refusal(null, ErrorCode.parse, "Parse error: not JSON, or nested too deeply");
    if (Array.isArray(value))
      return refusal(null, ErrorCode.invalidRequest, "Invalid request: batches are not relayed");
    const message = classify(value);
    try {
      switch (message.kind) {
        case "request": {
          const { id, method } = message;
          return forward({ id, method, params: this.#paramsToEditor(method, message.params, id) });
        }
        case "notification": {
          const { method } = message;
          return forward({ method, params: this.#notified(method, message.params) });
        }
        case "result":
          return forward({ id: message.id, result: this.#roots(message.result) });
        case "error":
          return forward({ id: message.id, error: (value as Json).error });
        case "invalid":
          throw new RpcError(ErrorCode.invalidRequest, `Invalid request: ${message.why}`);
      }
    } catch (error) {
      const id = "id" in message ? message.id : null;
      if (error instanceof RpcError) return refusal(id, error.code, error.message);
      if (!(error instanceof Outside) || message.kind !== "request") throw error;
      if (message.method !== CALL) return refusal(id, ErrorCode.invalidParams, error.message);
      this.#awaited.delete(message.id);
      const reply = { jsonrpc: "2.0", id, result: errorResult(error.message) };
      return { to: "agent", text: JSON.stringify(reply) };
    }
  }

  fromEditor(text: string): string {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return text;
    }
    const message = classify(value);
    switch (message.kind) {
      case "notification": {
        const schema = NOTIFICATIONS.get(message.method);
        if (!schema) return text;
        return JSON.stringify({
          ...(value as Json),
          params: this.#toRemote(schema, message.params),
        });
      }
      case "result": {
        const awaited = this.#awaited.get(message.id);
        this.#awaited.delete(message.id);
        if (!awaited) return text;
        return JSON.stringify({
          ...(value as Json),
          result: this.#answer(awaited, message.result),
        });
      }
      case "error":
        if (message.id !== null) this.#awaited.delete(message.id);
        return text;
      default:
        return text;
    }
  }

  #paramsToEditor(method: string, params: unknown, id: Id): unknown {
    if (isVault(method)) {
      this.#await(id, { kind: "vault", name: method });
      // Below the workspace by definition, also with a slash in front; the editor sees to that.
      return mapPaths(
        vaultMethods[method].params,
        params,
        (path) => this.#paths().toLocal(path) ?? path,
      );
    }
    if (method !== CALL) return params;
    const { name, arguments: args } = isRecord(params) ? params : {};
    if (!isRecord(params) || typeof name !== "string") throw invalidParams("name must be a string");
    if (args !== undefined && !isRecord(args)) throw invalidParams("arguments must be an object");
    this.#await(id, { kind: "tool", name });
    if (!args) return params;
    if (name === "openDiff") this.#tabs.add(String(args.tab_name));
    if (name === "closeAllDiffTabs") this.#tabs.clear();
    if (name === "close_tab" && this.#tabs.delete(String(args.tab_name))) return params;
    const schema = TOOL_INPUTS.get(name);
    const local = (text: string) => this.#local(text);
    const unknown = (value: unknown) => this.#unknown(value);
    const mapped = schema ? mapPaths(schema, args, local, unknown) : unknown(args);
    return { ...params, arguments: mapped };
  }

  /** Of a tool or a field that nobody here knows: what looks like a path is taken for one. */
  #unknown(value: unknown): unknown {
    if (typeof value === "string") return value.includes("\n") ? value : this.#local(value);
    if (Array.isArray(value)) return value.map((item) => this.#unknown(item));
    if (!isRecord(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, this.#unknown(item)]),
    );
  }

  /** The agent's process is in another namespace, if not on another machine: here it is ours. */
  #notified(method: string, params: unknown): unknown {
    const { requestId } = (params ?? {}) as { requestId?: Id };
    if (method === CALL || isVault(method))
      throw new RpcError(ErrorCode.invalidRequest, "Invalid request: a call needs an id");
    if (method === CANCELLED && requestId !== undefined) this.#awaited.delete(requestId);
    if (method !== Notification.ideConnected || !isRecord(params)) return params;
    return { ...params, pid: process.pid };
  }

  /** The answer to roots/list: what the editor does not have is none of its roots. */
  #roots(result: unknown): unknown {
    if (!isRecord(result) || !Array.isArray(result.roots)) return result;
    const roots = result.roots.flatMap((root: unknown) => {
      if (!isRecord(root) || typeof root.uri !== "string") return [];
      const uri = translateName(root.uri, (path) => this.#paths().toLocal(path));
      return uri === null ? [] : [{ ...root, uri }];
    });
    return { ...result, roots };
  }

  #answer({ kind, name }: Awaited, result: unknown): unknown {
    const schema = (kind === "vault" ? VAULT_REPLIES : TOOL_REPLIES).get(name);
    if (kind === "vault") return schema ? this.#toRemote(schema, result) : result;
    if (!isRecord(result) || !Array.isArray(result.content)) return result;
    const content = result.content.map((item: unknown) =>
      isRecord(item) && typeof item.text === "string"
        ? { ...item, text: this.#text(name, schema, item.text) }
        : item,
    );
    const { structuredContent } = result;
    return schema && structuredContent !== undefined
      ? { ...result, content, structuredContent: this.#toRemote(schema, structuredContent) }
      : { ...result, content };
  }

  #text(tool: string, schema: Schema | undefined, text: string): string {
    if (tool === "get_all_opened_file_paths")
      return text
        .split("\n")
        .map((line) => this.#remote(line))
        .join("\n");
    if (!schema) return text;
    try {
      const value: unknown = JSON.parse(text);
      // In the layout that it came in.
      return JSON.stringify(
        this.#toRemote(schema, value),
        null,
        /^[[{]\n {2}\S/.test(text) ? 2 : 0,
      );
    } catch {
      // A sentence, for a person or a model.
      return text;
    }
  }

  #toRemote(schema: Schema, value: unknown): unknown {
    return mapPaths(schema, value, (text) => this.#remote(text));
  }

  #remote(text: string): string {
    return translateName(text, (path) => this.#paths().toRemote(path)) ?? text;
  }

  #local(text: string): string {
    const local = translateName(text, (path) => this.#paths().toLocal(path));
    if (local === null) throw new Outside(text);
    return local;
  }

  #await(id: Id, awaited: Awaited): void {
    this.#awaited.set(id, awaited);
    const [oldest] = this.#awaited.keys();
    if (this.#awaited.size > MOST_AWAITED && oldest !== undefined) this.#awaited.delete(oldest);
  }
}

const CALL = "tools/call";
const CANCELLED = "notifications/cancelled";

/** A path that the editor's machine does not have, or by another name. */
class Outside extends Error {
  constructor(path: string) {
    super(
      `${path} is outside of the folders that the relay maps, so the editor does not have it. Add its folder by --map LOCAL=REMOTE.`,
    );
  }
}

const forward = (message: Json): Passed => ({
  to: "editor",
  text: JSON.stringify({ jsonrpc: "2.0", ...message }),
});

function refusal(id: Id | null, code: number, message: string): Passed {
  return { to: "agent", text: JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } }) };
}

const isVault = (method: string): method is keyof typeof vaultMethods =>
  Object.hasOwn(vaultMethods, method);

function isRecord(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
