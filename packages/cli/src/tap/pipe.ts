import type { WebSocket } from "ws";
import type { Recorder } from "./recorder.js";
import type { Sender } from "./recording.js";
import type { Redaction } from "./redaction.js";

/** What may be on its way in one direction before its sender has to wait. */
const MOST_WAITING = 1024 * 1024;
/** A small frame costs memory, too. */
const FRAME_BYTES = 256;
/** For what was sent before an end without a word to arrive. */
const LAST_WORDS_MS = 5_000;

/** Codes that a close frame may carry; 1004 to 1006 and 1015 only ever describe one that did not come. */
const isSendable = (code: number) =>
  (code >= 1000 && code <= 1014 && (code < 1004 || code > 1006)) || (code >= 3000 && code < 5000);

type Frame = "text" | "binary" | "ping" | "pong";

interface PipeOptions {
  readonly connection: number;
  readonly recorder: Recorder;
  readonly redaction: Redaction;
}

/** Joins an agent and its editor: every frame as it is, in order, both ways, and the end of either. */
export function pipe(agent: WebSocket, ide: WebSocket, options: PipeOptions): void {
  pass(agent, ide, "agent", options);
  pass(ide, agent, "ide", options);
}

function pass(source: WebSocket, target: WebSocket, from: Sender, options: PipeOptions): void {
  const { connection, recorder, redaction } = options;
  let waiting = 0;
  let drained: Promise<unknown> = Promise.resolve();

  const frame = (kind: Frame, data: Buffer) => {
    const size = data.length + FRAME_BYTES;
    waiting += size;
    if (waiting > MOST_WAITING) source.pause();
    const arrived = Promise.all([
      send(target, kind, data),
      recorder.record(
        connection,
        from,
        kind === "text"
          ? { kind, text: data.toString() }
          : { kind, base64: redaction.applyToBytes(data).toString("base64") },
      ),
    ]);
    drained = arrived.then(() => {
      waiting -= size;
      if (waiting <= MOST_WAITING && source.isPaused) source.resume();
    });
  };

  source.on("message", (data: Buffer, isBinary) => frame(isBinary ? "binary" : "text", data));
  source.on("ping", (data) => frame("ping", data));
  source.on("pong", (data) => frame("pong", data));
  // A frame that is against the rules ends the connection; that is told by its close.
  source.on("error", () => {});
  source.on("close", async (code, reason) => {
    void recorder.record(connection, from, { kind: "close", code, reason: reason.toString() });
    // One that is paused would not hear of its own end.
    target.resume();
    if (code === NO_CODE) return target.close();
    if (isSendable(code)) return target.close(code, reason);
    await Promise.race([drained, pause(LAST_WORDS_MS)]);
    target.terminate();
  });
}

const NO_CODE = 1005;

/** Resolves when it is with the system, or when there is nobody any more to send it to. */
function send(target: WebSocket, kind: Frame, data: Buffer): Promise<void> {
  return new Promise((resolve) => {
    const done = () => resolve();
    try {
      if (kind === "ping") target.ping(data, undefined, done);
      else if (kind === "pong") target.pong(data, undefined, done);
      else target.send(data, { binary: kind === "binary" }, done);
    } catch {
      done();
    }
  });
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
