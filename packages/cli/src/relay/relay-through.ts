import { setTimeout as delay } from "node:timers/promises";
import { IdeError } from "@lockstep/client";
import { EXIT } from "../command.js";
import { EditorSide } from "./editor-side.js";
import { FarProcess, whyNoRelay } from "./far-process.js";
import { type Relaying, sayReady } from "./relaying.js";

/** Relays through a process that starts the other end, until one of them ends or the person stops it. */
export async function relayThrough(
  command: readonly string[],
  place: string,
  relaying: Relaying,
): Promise<number> {
  const { watched, pairs, stopping, say, onMessage } = relaying;
  const [program = ""] = command;
  // Some say themselves who is speaking.
  const far = new FarProcess(command, (line) =>
    say(line.startsWith(`${program}: `) ? line : `${program}: ${line}`),
  );
  say(`Starting the relay ${place}…`);
  const stopped = stopping.then(() => "stopped" as const);
  try {
    const side = new EditorSide({
      watched,
      pairs,
      input: far.input,
      output: far.output,
      onMessage,
    });
    const ready = await Promise.race([side.ready, stopped]).catch(async (error: Error) => {
      if (await isStopped(stopping)) return "stopped" as const;
      if (side.greeted) throw error;
      // Whatever the link says of it, the process that should have carried it knows better.
      throw whyNoRelay(await far.ended, program, place);
    });
    if (ready === "stopped") return EXIT.ok;
    far.forgetWords();
    sayReady(ready, watched.ide.name, place, relaying);
    const ended = await Promise.race([side.ended, stopped]);
    if (ended === "stopped" || (await isStopped(stopping))) {
      side.close();
      return EXIT.ok;
    }
    const why = ended?.message ?? (await far.ended).lastWords;
    throw new IdeError(
      "gave-up",
      `The connection has ended: ${why || "the other end has closed it"}`,
    );
  } finally {
    await far.stop();
  }
}

/** A key reaches the other process as it does us, and which of the two ends first is chance. */
const AT_ONCE_MS = 250;

const isStopped = (stopping: Promise<void>): Promise<boolean> =>
  Promise.race([stopping.then(() => true), delay(AT_ONCE_MS, false)]);
