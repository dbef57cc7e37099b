/**
 * What goes over a link: the length of the body (4 bytes), what it is (1), whose (4), the body. Numbers
 * are big-endian; a body is UTF-8.
 */
export type Frame =
  /** Between the two ends themselves: JSON. */
  | { readonly kind: "note"; readonly channel: 0; readonly body: string }
  /** An agent has come. */
  | { readonly kind: "open"; readonly channel: number; readonly body: "" }
  /** One message of its conversation, either way. */
  | { readonly kind: "text"; readonly channel: number; readonly body: string }
  /** The conversation is over; the body says why. */
  | { readonly kind: "close"; readonly channel: number; readonly body: string };

const KINDS = ["note", "open", "text", "close"] as const;
const HEAD = 9;

/** A message of an agent's is at most this long, on either side. */
const LARGEST = 100 * 1024 * 1024;

export function encodeFrame({ kind, channel, body }: Frame): Buffer {
  const length = Buffer.byteLength(body);
  const frame = Buffer.allocUnsafe(HEAD + length);
  frame.writeUInt32BE(length, 0);
  frame.writeUInt8(KINDS.indexOf(kind), 4);
  frame.writeUInt32BE(channel, 5);
  frame.write(body, HEAD);
  return frame;
}

/** The other end does not speak as we do. */
class FrameError extends Error {
  override readonly name = "FrameError";
}

/** Takes bytes as they come, and gives out whole frames. */
export class FrameReader {
  readonly #chunks: Buffer[] = [];
  #held = 0;

  *read(chunk: Buffer): Iterable<Frame> {
    this.#chunks.push(chunk);
    this.#held += chunk.length;
    for (;;) {
      if (this.#held < HEAD) return;
      const head = this.#joined(HEAD);
      const length = head.readUInt32BE(0);
      const kind = KINDS[head.readUInt8(4)];
      if (length > LARGEST || !kind) throw new FrameError("The other end sends what is no frame.");
      if (this.#held < HEAD + length) return;
      const whole = this.#joined(HEAD + length);
      const frame = {
        kind,
        channel: whole.readUInt32BE(5),
        body: whole.toString("utf8", HEAD, HEAD + length),
      };
      this.#drop(HEAD + length);
      yield frame as Frame;
    }
  }

  /** The first bytes in one piece: they are joined only when there are enough of them. */
  #joined(length: number): Buffer {
    const [first] = this.#chunks;
    if (first && first.length >= length) return first;
    const all = Buffer.concat(this.#chunks);
    this.#chunks.splice(0, this.#chunks.length, all);
    return all;
  }

  #drop(length: number): void {
    const [first] = this.#chunks;
    const left = first?.subarray(length);
    this.#held -= length;
    if (left && left.length > 0) this.#chunks[0] = left;
    else this.#chunks.shift();
  }
}
