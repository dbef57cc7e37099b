import { IdeError } from "@lockstep/client";
import { EXIT } from "../command.js";
import { report } from "../fault-report.js";
import { AgentSide } from "./agent-side.js";
import { type Relaying, sayReady } from "./relaying.js";
import { connectTo } from "./unix-socket.js";

export interface JoinOptions extends Pick<Relaying, "stopping" | "json" | "say"> {
  /** A Unix socket; "-" for standard input and output. */
  readonly place: string;
  readonly configDir: string | undefined;
}

/** The agents' end, until the other one ends or it is told to. */
export async function joinRelay(options: JoinOptions): Promise<number> {
  const { place, configDir, stopping } = options;
  const piped = place === "-";
  const socket = piped ? null : await connectTo(place);
  const side = new AgentSide({
    input: socket ?? process.stdin,
    output: socket ?? process.stdout,
    configDir,
    report,
    // Over a pipe the other end tells the person: this end's output is the link.
    onReady: (ready) => piped || sayReady(ready, "The editor", "here", options),
  });
  const stopped = stopping.then(() => {
    side.close();
    return "stopped" as const;
  });
  const why = await Promise.race([side.ended, stopped]);
  await side.ended;
  if (why === "stopped" || (piped && side.greeted)) return EXIT.ok;
  throw new IdeError(
    "gave-up",
    `The relay has ended: ${why?.message ?? "the other end has stopped"}`,
  );
}
