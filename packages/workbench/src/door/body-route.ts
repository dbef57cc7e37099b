import type { IncomingMessage } from "node:http";
import type { Bodies } from "../windows/bodies.js";
import type { Refusal } from "./admission.js";

/** Room for a document of 50 MB in JSON's escapes. */
const LARGEST = 64 * 1024 * 1024;
/** Each may hold {@link LARGEST} in memory while it comes. */
const MOST_AT_ONCE = 4;

const TOO_LARGE: Refusal = { status: 413, message: "At most 64 MB can be sent at once." };

/** Takes long messages in, on their way to the workbench. */
export class BodyRoute {
  readonly #bodies: Bodies;
  #coming = 0;

  constructor(bodies: Bodies) {
    this.#bodies = bodies;
  }

  /** Answers the id by which the message on the socket names it. */
  async receive(request: IncomingMessage): Promise<string | Refusal> {
    if (Number(request.headers["content-length"] ?? 0) > LARGEST) return TOO_LARGE;
    if (this.#coming >= MOST_AT_ONCE) {
      return { status: 429, message: "Too many bodies at once. Try again in a moment." };
    }
    this.#coming++;
    try {
      const text = await textOf(request);
      return text === null ? TOO_LARGE : this.#bodies.put(text);
    } finally {
      this.#coming--;
    }
  }

  /** Null if it is not there, or was taken. */
  take(id: string): string | null {
    return this.#bodies.take(id);
  }
}

/** Null for more than is allowed, whatever the request has announced. */
async function textOf(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > LARGEST) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
