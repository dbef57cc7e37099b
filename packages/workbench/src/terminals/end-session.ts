import { sessionMembers } from "./process-tree.js";

/** How long programs have to tidy up after they were hung up on. */
const GRACE_MS = 1_000;

/**
 * Ends what runs in a terminal, as closing one does: everybody is hung up on, and who is still there
 * a second later is killed. Programs that should outlive their terminal start a session of their own.
 */
export async function endSession(leader: number, ended: Promise<void>): Promise<void> {
  hangUp(leader);
  send(leader, "SIGHUP");
  send(leader, "SIGCONT");
  const running = () => sessionMembers(leader).length > 0;
  await within(GRACE_MS, ended);
  for (let tries = 10; tries > 0 && running(); tries--) await within(GRACE_MS / 10);
  if (await isSettled(ended)) {
    for (const pid of sessionMembers(leader)) send(pid, "SIGKILL");
    return;
  }
  for (const pid of sessionMembers(leader)) send(pid, "SIGKILL");
  send(-leader, "SIGKILL");
  send(leader, "SIGKILL");
  await ended;
}

/** What the others of a session hear when their terminal goes. */
export function hangUp(leader: number): void {
  for (const pid of sessionMembers(leader)) {
    send(pid, "SIGHUP");
    // One that is stopped would hear it only when it goes on.
    send(pid, "SIGCONT");
  }
}

/** Who is gone needs no signal; who runs as somebody else, after sudo, gets it from the terminal's end. */
function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ESRCH" && code !== "EPERM") throw error;
  }
}

const isSettled = (promise: Promise<void>): Promise<boolean> =>
  Promise.race([promise.then(() => true), Promise.resolve(false)]);

/** Until it has ended, but no longer than that. */
async function within(ms: number, ended?: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([over, ended ?? over]);
  clearTimeout(timer);
}
