import { type Entrance, openEntrance } from "@lockstep/server/entrance";
import type { WebSocket } from "ws";
import { type JsonObject, mapTexts } from "../json.js";
import type { Entry, Recording } from "../recording.js";
import { Answers } from "./answers.js";
import { subjectOf, tell } from "./message.js";
import { Places } from "./places.js";

export interface RecordedIdeOptions {
  /** The folder that takes the place of the recorded workspace. */
  readonly folder: string;
  /** Whether agents find it by that folder, or only by its port. */
  readonly announceFolder: boolean;
  readonly fast: boolean;
  readonly configDir: string | undefined;
  /** Told of a request that the recording has no answer to. */
  readonly onUnknown: (subject: string) => void;
}

/** The CLI loses what an editor tells it sooner than this after the handshake. */
const FIRST_PUSH_MS = 500;
const NO_ANSWER = -32601;
/** What timers can hold. */
const LONGEST_MS = 2 ** 31 - 1;

/** An editor that answers agents as a recorded one did, and tells them the same at the same times. */
export class RecordedIde implements AsyncDisposable {
  readonly entrance: Entrance;
  readonly answers: Answers;

  static async open(recording: Recording, options: RecordedIdeOptions): Promise<RecordedIde> {
    const { heading, entries } = recording;
    const { folder, announceFolder, configDir } = options;
    const places = new Places(heading.ide.folders, [folder]);
    const answers = new Answers(entries, places);
    const connections = pushesOf(entries);
    let count = 0;
    const entrance = await openEntrance({
      ideName: heading.ide.name || "Recorded editor",
      workspaceFolders: announceFolder ? [folder] : [],
      configDir,
      onAgent: (socket) => {
        const pushes = connections[Math.min(count++, connections.length - 1)] ?? [];
        speak(socket, answers, pushes, places, options);
      },
      report: (problem) => process.emitWarning(String(problem)),
    });
    return new RecordedIde(entrance, answers);
  }

  private constructor(entrance: Entrance, answers: Answers) {
    this.entrance = entrance;
    this.answers = answers;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.entrance.close();
  }
}

/** What the editor said of its own accord, and how long after the handshake. */
interface Push {
  readonly afterMs: number;
  readonly message: JsonObject;
}

/** For each recorded connection in turn. */
function pushesOf(entries: readonly Entry[]): readonly (readonly Push[])[] {
  const numbers = [...new Set(entries.map(({ connection }) => connection))].filter(
    (one) => one > 0,
  );
  return numbers.map((number) => {
    const pushes: Push[] = [];
    let introduced = 0;
    for (const entry of entries) {
      if (entry.connection !== number || entry.kind !== "text") continue;
      const told = tell(entry.text);
      if (told.kind !== "notification" && told.kind !== "request") continue;
      const { message } = told;
      if (entry.from === "agent") {
        if (HANDSHAKE.has(String(message.method))) introduced = entry.at;
      } else if (message.method !== "ping") {
        pushes.push({ afterMs: Math.max(0, entry.at - introduced), message });
      }
    }
    return pushes;
  });
}

const HANDSHAKE: ReadonlySet<string> = new Set(["notifications/initialized", "ide_connected"]);

function speak(
  socket: WebSocket,
  answers: Answers,
  pushes: readonly Push[],
  places: Places,
  { fast, onUnknown }: RecordedIdeOptions,
): void {
  const timers = new Set<NodeJS.Timeout>();
  const send = (message: object) => {
    if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message));
  };
  const later = (ms: number, message: object) => {
    const timer = setTimeout(
      () => {
        timers.delete(timer);
        send(message);
      },
      Math.min(ms, LONGEST_MS),
    );
    timers.add(timer);
  };
  let introduced = false;
  socket.on("error", () => {});
  socket.on("ping", (data) => socket.pong(data));
  socket.on("close", () => {
    for (const timer of timers) clearTimeout(timer);
  });
  socket.on("message", (data) => {
    const told = tell(data.toString());
    if (told.kind === "notification" && told.message.method === "notifications/initialized") {
      if (introduced) return;
      introduced = true;
      for (const { afterMs, message } of pushes) {
        const here = mapTexts(message, (text) => places.toHere(text)) as object;
        later(fast ? FIRST_PUSH_MS : Math.max(afterMs, FIRST_PUSH_MS), here);
      }
    }
    if (told.kind !== "request") return;
    if (told.message.method === "ping") return send({ jsonrpc: "2.0", id: told.id, result: {} });
    const found = answers.find(told.message);
    if (found) {
      if (!found.answer) return;
      if (fast) send(found.answer);
      else later(found.delayMs, found.answer);
      return;
    }
    const subject = subjectOf(told.message);
    onUnknown(subject);
    const message = `The recording has no answer to this ${subject}`;
    send({ jsonrpc: "2.0", id: told.id, error: { code: NO_ANSWER, message } });
  });
}
