import { createHmac, randomUUID, timingSafeEqual } from "node:crypto";

/** One message of Jupyter's protocol, as far as it is used here. */
export interface KernelMessage {
  readonly id: string;
  readonly type: string;
  /** The request that it belongs to; "" if none. */
  readonly parent: string;
  readonly content: Fields;
}

export type Fields = Readonly<Record<string, unknown>>;

const DELIMITER = Buffer.from("<IDS|MSG>");
const PROTOCOL = "5.3";
/** Signature, header, parent header, metadata, content. */
const PARTS = 5;

/** Writes and reads the frames of one kernel, signed with a key that only it and this process have. */
export class MessageSigner {
  readonly #key: string;
  readonly #session = randomUUID();

  constructor(key: string) {
    this.#key = key;
  }

  /** Answers the frames of a request, and its id. */
  request(type: string, content: Fields): { readonly id: string; readonly frames: Buffer[] } {
    const id = randomUUID();
    const header = {
      msg_id: id,
      msg_type: type,
      session: this.#session,
      username: "lockstep",
      date: new Date().toISOString(),
      version: PROTOCOL,
    };
    const parts = [header, {}, {}, content].map((part) => Buffer.from(JSON.stringify(part)));
    return { id, frames: [DELIMITER, Buffer.from(this.#sign(parts)), ...parts] };
  }

  /** Null for what is not signed with the key, and for what is no message. */
  read(frames: readonly Buffer[]): KernelMessage | null {
    const start = frames.findIndex((frame) => frame.equals(DELIMITER)) + 1;
    const [signature, ...parts] = start > 0 ? frames.slice(start, start + PARTS) : [];
    if (!signature || parts.length < PARTS - 1) return null;
    const expected = Buffer.from(this.#sign(parts));
    if (signature.length !== expected.length || !timingSafeEqual(signature, expected)) return null;
    try {
      const [header, parent, , content] = parts.map((part) => fields(JSON.parse(String(part))));
      if (!header || typeof header.msg_id !== "string" || typeof header.msg_type !== "string")
        return null;
      return {
        id: header.msg_id,
        type: header.msg_type,
        parent: text(parent?.msg_id),
        content: content ?? {},
      };
    } catch {
      return null;
    }
  }

  #sign(parts: readonly Buffer[]): string {
    const hmac = createHmac("sha256", this.#key);
    for (const part of parts) hmac.update(part);
    return hmac.digest("hex");
  }
}

/** A kernel may send anything: what is no record is an empty one. */
export function fields(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : {};
}

/** What is no text is an empty one. */
export const text = (value: unknown): string => (typeof value === "string" ? value : "");
