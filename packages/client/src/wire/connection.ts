import {
  type RequestOptions,
  type ToolDescription,
  ToolListReply,
  type ToolResultReply,
} from "@lockstep/protocol";
import { notUnderstood } from "../errors.js";
import type { EventHub, Events, Listener } from "./events.js";
import type { Line, Server } from "./line.js";
import { readToolResult } from "./tool-reply.js";
import { type Tools, typedTools } from "./tools.js";
import { type Vault, vaultOver } from "./vault.js";

/** A connection to an editor, as an agent has it. */
export interface Connection extends AsyncDisposable {
  /** How the editor introduced itself. */
  readonly server: Server;
  /**
   * The documented tools, typed. A tool that fails rejects with an {@link IdeError}.
   *
   * @example
   * const answer = await connection.tools.openDiff({
   *   old_file_path: "/p/a.ts",
   *   new_file_contents: "const a = 2;\n",
   *   tab_name: "a.ts (proposed)",
   * });
   * if (answer.kind === "saved") await writeFile("/p/a.ts", answer.text);
   */
  readonly tools: Tools;
  /** Obsidian's methods, typed. */
  readonly vault: Vault;
  /**
   * Calls any tool by its name, and answers with its result as it came, content of types that
   * nobody here knows included. A tool that fails answers with `isError`; it does not throw.
   */
  call(tool: string, args?: object, options?: RequestOptions): Promise<ToolResultReply>;
  /** What the editor offers now. */
  listTools(options?: RequestOptions): Promise<readonly ToolDescription[]>;
  /** Any method, for editors that have methods besides MCP's. */
  request(method: string, params?: object, options?: RequestOptions): Promise<unknown>;
  /**
   * Listens until the result is disposed of.
   *
   * @example
   * connection.on("selection_changed", ({ filePath, text }) => console.log(filePath, text));
   */
  on<Name extends keyof Events>(name: Name, listener: Listener<Name>): Disposable;
  /** Resolves when the connection has ended for good, by either side. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

export function connectionOver(line: Line, events: EventHub): Connection {
  return {
    get server() {
      return line.server;
    },
    tools: typedTools((method, params, options) => line.request(method, params, options)),
    vault: vaultOver(line),
    async call(tool, args = {}, options) {
      const params = { name: tool, arguments: args };
      return readToolResult(tool, await line.request("tools/call", params, options));
    },
    async listTools(options) {
      const { data } = ToolListReply.safeParse(await line.request("tools/list", {}, options));
      if (!data) throw notUnderstood("tools/list");
      return data.tools;
    },
    request: (method, params, options) => line.request(method, params, options),
    on: (name, listener) => events.on(name, listener),
    closed: line.closed,
    close: () => line.close(),
    [Symbol.asyncDispose]: () => line.close(),
  };
}
