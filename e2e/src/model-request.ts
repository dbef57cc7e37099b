interface Block {
  readonly type: string;
  readonly text?: string;
  readonly content?: string | readonly Block[];
}

interface Message {
  readonly role: string;
  readonly content: string | readonly Block[];
}

export interface RequestBody {
  readonly model: string;
  readonly stream?: boolean;
  readonly messages: readonly Message[];
  readonly tools?: readonly { readonly name: string }[];
}

/** One request to the model, with what the model was shown in it. */
export class ModelRequest {
  readonly body: RequestBody;

  constructor(body: RequestBody) {
    this.body = body;
  }

  /** A step of the conversation with the person; anything else the CLI asks on the side. */
  get isTurn(): boolean {
    return this.body.tools?.some(({ name }) => name === "Edit") ?? false;
  }

  /** All that the model was shown in the conversation. */
  get all(): string {
    return shown(this.body.messages);
  }

  /** What the model had not seen in the request before: all after its own last words. */
  get news(): string {
    const { messages } = this.body;
    return shown(messages.slice(messages.findLastIndex(({ role }) => role === "assistant") + 1));
  }
}

function shown(messages: readonly Message[]): string {
  return messages.map(({ role, content }) => `[${role}] ${textOf(content)}`).join("\n");
}

function textOf(content: string | readonly Block[]): string {
  if (typeof content === "string") return content;
  return content
    .map((block) => block.text ?? (block.content === undefined ? "" : textOf(block.content)))
    .join("\n");
}
