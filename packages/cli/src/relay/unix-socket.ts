import { once } from "node:events";
import { chmod, lstat, stat, unlink } from "node:fs/promises";
import { createConnection, createServer, type Server, type Socket } from "node:net";
import { dirname, resolve } from "node:path";
import { SetupError } from "@lockstep/server";

/** What the kernel has room for, less the final zero: Linux has 108, others 104. */
const LONGEST = 103;

/** Listens on a Unix socket that only this user can open. What another relay left behind is taken away. */
export async function listenOn(
  given: string,
  onConnection: (socket: Socket) => void,
): Promise<Server> {
  const path = checked(given);
  await stat(dirname(path)).catch((error) => {
    throw unusable(path, error);
  });
  await clear(path);
  // Half-open on purpose: a link says for itself when it is over.
  const server = createServer({ allowHalfOpen: false }, onConnection);
  // From its first moment, not only after a chmod.
  const mask = process.umask(0o177);
  try {
    server.listen(path);
    await once(server, "listening");
  } catch (error) {
    throw unusable(path, error);
  } finally {
    process.umask(mask);
  }
  await chmod(path, 0o600);
  return server;
}

/** The other end of it. */
export async function connectTo(given: string): Promise<Socket> {
  const path = checked(given);
  const stats = await stat(path).catch(() => null);
  // Whoever listens there is believed to be the editor.
  if (stats && process.getuid && stats.uid !== process.getuid())
    throw unusable(path, Object.assign(new Error(), { code: "EACCES" }));
  const socket = createConnection(path);
  try {
    await once(socket, "connect");
    return socket;
  } catch (error) {
    throw unusable(path, error);
  }
}

function checked(given: string): string {
  const path = resolve(given);
  if (Buffer.byteLength(path) <= LONGEST) return path;
  throw new SetupError(
    "path-occupied",
    `${path} is too long for a socket: ${LONGEST} bytes are the most. Choose a shorter one.`,
  );
}

async function clear(path: string): Promise<void> {
  const stats = await lstat(path).catch(() => null);
  if (!stats) return;
  const ours = !process.getuid || stats.uid === process.getuid();
  if (!stats.isSocket() || !ours)
    throw new SetupError(
      "path-occupied",
      `${path} is there, and no socket of yours. Choose another name.`,
    );
  const probe = createConnection(path);
  const alive = await once(probe, "connect").then(
    () => true,
    () => false,
  );
  probe.destroy();
  if (alive)
    throw new SetupError(
      "path-occupied",
      `Another relay listens on ${path}. Stop it, or choose another name.`,
    );
  await unlink(path);
}

function unusable(path: string, cause: unknown): SetupError {
  const { code, message } = cause as NodeJS.ErrnoException;
  const why =
    code === "ENOENT" || code === "ECONNREFUSED"
      ? "nobody listens there, or its folder is missing. Start the other end first: lockstep relay listen"
      : code === "EACCES"
        ? "it belongs to another user: both ends have to be the same user, in the container too"
        : message;
  return new SetupError("folder-unusable", `${path} cannot be used: ${why}.`, { cause });
}
