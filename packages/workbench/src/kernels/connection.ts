import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Where a kernel listens, and the key that messages are signed with. */
export interface Connection extends AsyncDisposable {
  readonly key: string;
  /** What the kernel is handed. */
  readonly file: string;
  /** A folder of this kernel alone that nobody else can look into. */
  readonly folder: string;
  address(channel: Channel): string;
}

const CHANNELS = ["shell", "iopub", "stdin", "control", "hb"] as const;
export type Channel = (typeof CHANNELS)[number];

/** The path of a socket may not be longer on Linux; on a Mac it is 104. */
const LONGEST_SOCKET = 100;
const HOST = "127.0.0.1";

/**
 * Makes a place for a kernel to listen: sockets in a private folder, which no other user can reach, or
 * ports of this machine for kernels that know nothing else.
 */
export async function makeConnection(sockets: boolean): Promise<Connection> {
  // Only this user can enter a folder that mkdtemp has made.
  const folder = await mkdtemp(join(tmpdir(), "lockstep-kernel-"));
  const prefix = join(folder, "s");
  const isShort = prefix.length + 2 <= LONGEST_SOCKET;
  const ipc = sockets && process.platform !== "win32" && isShort;
  const ports = ipc ? CHANNELS.map((_, index) => index + 1) : await freePorts(CHANNELS.length);
  const key = randomBytes(32).toString("hex");
  const file = join(folder, "connection.json");
  const numbers = Object.fromEntries(
    CHANNELS.map((channel, index) => [`${channel}_port`, ports[index]]),
  );
  const connection = {
    transport: ipc ? "ipc" : "tcp",
    ip: ipc ? prefix : HOST,
    key,
    signature_scheme: "hmac-sha256",
    ...numbers,
  };
  await writeFile(file, JSON.stringify(connection), { mode: 0o600, flag: "wx" });
  return {
    key,
    file,
    folder,
    address: (channel) => {
      const port = ports[CHANNELS.indexOf(channel)];
      return ipc ? `ipc://${prefix}-${port}` : `tcp://${HOST}:${port}`;
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

/** All are held until the last is found, so that no two are the same. */
async function freePorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  try {
    return await Promise.all(
      servers.map(
        (server) =>
          new Promise<number>((resolve, reject) => {
            server.once("error", reject);
            server.listen(0, HOST, () => {
              const address = server.address();
              if (address && typeof address === "object") resolve(address.port);
              else reject(new Error("No free port"));
            });
          }),
      ),
    );
  } finally {
    for (const server of servers) server.close();
  }
}
