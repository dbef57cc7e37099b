import type { TraceEvent } from "@lockstep/server";

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: {
    readonly name?: string;
    readonly arguments?: Readonly<Record<string, unknown>>;
    readonly [key: string]: unknown;
  };
  readonly result?: { readonly content?: readonly { readonly text?: string }[] };
}

/** A JSON-RPC message as it went over an agent's socket. */
export class WireFrame {
  /** Tells agents apart: one that comes back has a new number. */
  readonly connection: number;
  readonly direction: "in" | "out";
  readonly message: Message;
  readonly #text: string;

  constructor({ connection, direction, text }: TraceEvent) {
    this.connection = connection;
    this.direction = direction;
    this.message = JSON.parse(text) as Message;
    this.#text = text;
  }

  /** Whether the agent calls this tool. */
  calls(tool: string): boolean {
    return this.message.method === "tools/call" && this.message.params?.name === tool;
  }

  /** The texts with which a tool has answered. */
  get texts(): readonly (string | undefined)[] | undefined {
    return this.message.result?.content?.map(({ text }) => text);
  }

  answers(call: WireFrame): boolean {
    return (
      this.direction === "out" &&
      this.connection === call.connection &&
      this.message.method === undefined &&
      this.message.id === call.message.id
    );
  }

  toString(): string {
    return `${this.connection} ${this.direction === "in" ? "→" : "←"} ${this.#text}`;
  }
}
