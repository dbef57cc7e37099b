import type { Readable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { AbstractMessageReader, type DataCallback, type Disposable } from "vscode-jsonrpc/node";

/** Bytes of one message. Nothing that a person looks at is larger. */
const LARGEST_MESSAGE = 64 * 1024 * 1024;
/** Bytes before a message; the two headers that exist need less than a hundred. */
const LARGEST_HEADER = 4 * 1024;

const END_OF_HEADER = "\r\n\r\n";

/**
 * Reads the messages of a language server. It hands over one at a time and reads no further
 * meanwhile, so that a server that floods piles nothing up here; one that does not keep to the form
 * is told of once, and read no more.
 */
export class FrameReader extends AbstractMessageReader {
  readonly #stream: Readable;
  readonly #onGarbage: (what: string) => void;
  #chunks: Buffer[] = [];
  #size = 0;
  /** Of the body that comes next; null while its header is being read. */
  #expected: number | null = null;
  #stopped = false;
  #reading = false;

  constructor(stream: Readable, onGarbage: (what: string) => void) {
    super();
    this.#stream = stream;
    this.#onGarbage = onGarbage;
  }

  override listen(callback: DataCallback): Disposable {
    this.#stream.on("data", (chunk: Buffer) => {
      if (this.#stopped) return;
      this.#chunks.push(chunk);
      this.#size += chunk.length;
      void this.#read(callback);
    });
    this.#stream.on("error", (problem) => this.fireError(problem));
    this.#stream.on("close", () => this.fireClose());
    return { dispose: () => this.#stop() };
  }

  async #read(callback: DataCallback): Promise<void> {
    if (this.#reading) return;
    this.#reading = true;
    this.#stream.pause();
    try {
      for (let body = this.#next(); body !== null; body = this.#next()) {
        callback(JSON.parse(body.toString("utf8")));
        await nextTurn();
      }
    } catch (problem) {
      const what = problem instanceof SyntaxError ? "something that is not JSON" : String(problem);
      this.#stop();
      this.#onGarbage(what);
    } finally {
      this.#reading = false;
      this.#stream.resume();
    }
  }

  /** The next whole body; null until more has come. */
  #next(): Buffer | null {
    if (this.#stopped) return null;
    if (this.#expected === null) this.#expected = this.#header();
    if (this.#expected === null || this.#size < this.#expected) return null;
    const body = this.#take(this.#expected);
    this.#expected = null;
    return body;
  }

  #header(): number | null {
    const all = this.#joined();
    const end = all.indexOf(END_OF_HEADER);
    if (end < 0 ? all.length > LARGEST_HEADER : end > LARGEST_HEADER) throw NOT_A_HEADER;
    if (end < 0) return null;
    const length = /^content-length: *(\d{1,12}) *$/im.exec(all.toString("latin1", 0, end))?.[1];
    if (length === undefined) throw NOT_A_HEADER;
    if (Number(length) > LARGEST_MESSAGE) throw `a message of ${length} bytes`;
    this.#take(end + END_OF_HEADER.length);
    return Number(length);
  }

  #take(length: number): Buffer {
    const all = this.#joined();
    this.#chunks = all.length > length ? [all.subarray(length)] : [];
    this.#size -= length;
    return all.subarray(0, length);
  }

  #joined(): Buffer {
    const [only] = this.#chunks;
    const all = only && this.#chunks.length === 1 ? only : Buffer.concat(this.#chunks);
    this.#chunks = [all];
    return all;
  }

  #stop(): void {
    this.#stopped = true;
    this.#chunks = [];
    this.#size = 0;
  }
}

const NOT_A_HEADER = "something that is not a message";
