import { fork } from "node:child_process";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";

/**
 * Keeps the processors awake until it is disposed of. Between two short messages a processor falls
 * asleep, and waking it takes longer than a whole tool call, or not, as the scheduler happens to
 * place the processes: that would be measured instead of the server.
 */
export async function keepAwake(): Promise<Disposable> {
  const program = fileURLToPath(new URL("./wakeful-process.js", import.meta.url));
  const children = Array.from({ length: availableParallelism() }, () => fork(program));
  await Promise.all(children.map((child) => once(child, "message")));
  return {
    [Symbol.dispose]: () => {
      for (const child of children) child.disconnect();
    },
  };
}
