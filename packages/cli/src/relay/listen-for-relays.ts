import { once } from "node:events";
import { EXIT } from "../command.js";
import { EditorSide } from "./editor-side.js";
import { type Relaying, sayReady } from "./relaying.js";
import { listenOn } from "./unix-socket.js";

/** Relays for whoever opens the socket, until the person stops it. */
export async function listenForRelays(path: string, relaying: Relaying): Promise<number> {
  const { watched, pairs, stopping, json, say, onMessage } = relaying;
  const sides = new Set<EditorSide>();
  const server = await listenOn(path, (socket) => {
    try {
      const side = new EditorSide({ watched, pairs, input: socket, output: socket, onMessage });
      sides.add(side);
      side.ready.then(
        (ready) => sayReady(ready, watched.ide.name, "at the other end", { json: false, say }),
        (error: Error) => say(error.message),
      );
      void side.ended.then(() => {
        sides.delete(side);
        say("The other end has left.");
      });
    } catch (error) {
      say((error as Error).message);
      socket.destroy();
    }
  });
  if (json) console.log(JSON.stringify({ socket: path, pid: process.pid }));
  say(`${watched.ide.name} waits on ${path}. At the agent's end: lockstep relay join ${path}`);
  await stopping;
  const closed = once(server, "close");
  server.close();
  for (const side of sides) side.close();
  await closed;
  return EXIT.ok;
}
