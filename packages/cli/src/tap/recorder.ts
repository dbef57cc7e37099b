import { constants, createWriteStream, type WriteStream } from "node:fs";
import { open } from "node:fs/promises";
import { UsageError } from "../command.js";
import type { Entry, Happening, Heading, Sender } from "./recording.js";
import type { Redaction } from "./redaction.js";

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;

/** Writes a recording. A disk that is full ends the recording, and nothing else. */
export class Recorder {
  readonly path: string;
  readonly #stream: WriteStream;
  readonly #redaction: Redaction;
  readonly #began = performance.now();
  #frames = 0;
  #failure: string | undefined;

  private constructor(path: string, stream: WriteStream, redaction: Redaction) {
    this.path = path;
    this.#stream = stream;
    this.#redaction = redaction;
    stream.on("error", (error) => {
      this.#failure ??= `The recording is not whole: ${error.message}`;
    });
  }

  /** Makes the file, which only its owner can read; one that is there stays as it is. */
  static async create(path: string, redaction: Redaction): Promise<Recorder> {
    const handle = await open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600).catch(
      (error: NodeJS.ErrnoException) => {
        throw new UsageError(
          error.code === "EEXIST"
            ? `${path} is there already. Name another file with --out, or remove it.`
            : `${path} cannot be made (${error.message}). Name another file with --out.`,
        );
      },
    );
    return new Recorder(path, createWriteStream("", { fd: handle }), redaction);
  }

  /** The first line. */
  async begin(about: Pick<Heading, "ide" | "command" | "environment">): Promise<void> {
    const startedAt = new Date().toISOString();
    await this.#write({ lockstep: "recording", version: 1, startedAt, ...about } satisfies Heading);
  }

  /** Messages and pings; not what was written about them. */
  get frames(): number {
    return this.#frames;
  }

  /** What went wrong, in a sentence. */
  get failure(): string | undefined {
    return this.#failure;
  }

  /** Resolves when it is with the system, so that a disk slows the line down rather than fill memory. */
  record(connection: number, from: Sender, happening: Happening): Promise<void> {
    if (from !== "tap" && ("text" in happening || "base64" in happening)) this.#frames++;
    const at = Math.round((performance.now() - this.#began) * 100) / 100;
    const moment = { at, time: new Date().toISOString(), connection, from };
    return this.#write({ ...moment, ...happening } satisfies Entry);
  }

  async close(): Promise<void> {
    if (this.#failure) return void this.#stream.destroy();
    await new Promise<void>((resolve) => {
      this.#stream.once("close", resolve);
      this.#stream.end();
    });
  }

  #write(line: object): Promise<void> {
    if (this.#failure || this.#stream.writableEnded) return Promise.resolve();
    const text = JSON.stringify(line, (_, value) =>
      typeof value === "string" ? this.#redaction.apply(value) : value,
    );
    return new Promise((resolve) => this.#stream.write(`${text}\n`, () => resolve()));
  }
}
