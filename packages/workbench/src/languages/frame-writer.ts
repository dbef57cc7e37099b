import type { Writable } from "node:stream";
import { AbstractMessageWriter, type Message } from "vscode-jsonrpc/node";

/** Bytes that a server may leave unread before it is taken for stuck. */
const MOST_UNREAD = 16 * 1024 * 1024;

/** Writes messages to a language server at once, and tells when it does not read them. */
export class FrameWriter extends AbstractMessageWriter {
  readonly #stream: Writable;
  readonly #onUnread: () => void;

  constructor(stream: Writable, onUnread: () => void) {
    super();
    this.#stream = stream;
    this.#onUnread = onUnread;
  }

  async write(message: Message): Promise<void> {
    const body = JSON.stringify(message);
    this.#stream.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
    if (this.#stream.writableLength > MOST_UNREAD) this.#onUnread();
  }

  end(): void {
    this.#stream.end();
  }
}
