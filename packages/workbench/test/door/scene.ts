import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { WebSocket } from "ws";
import type { Picture } from "../../src/documents/pictures.js";
import { Door } from "../../src/door/door.js";
import { Bodies } from "../../src/windows/bodies.js";

export const SCRIPT = `export const page = "${"lockstep ".repeat(500)}";\n`;

/** A page folder and a state folder, and the doors that are opened on them. */
export class DoorScene implements AsyncDisposable {
  readonly folder: string;
  readonly bodies = new Bodies();
  readonly pictures = new Map<string, Picture>();
  readonly problems: unknown[] = [];
  readonly #doors: Door[] = [];

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async open(): Promise<DoorScene> {
    const folder = await mkdtemp(join(tmpdir(), "lockstep-door-"));
    await mkdir(join(folder, "page", "assets"), { recursive: true });
    await mkdir(join(folder, "state"), { mode: 0o700 });
    await writeFile(join(folder, "secret.txt"), "outside of the page");
    await writeFile(join(folder, "page", "icon.svg"), "<svg/>");
    await writeFile(join(folder, "page", "assets", "main-1a2b.js"), SCRIPT);
    await writeFile(
      join(folder, "page", "index.html"),
      `<!doctype html><title>Page</title><script type="module" src="/assets/main-1a2b.js"></script>`,
    );
    return new DoorScene(folder);
  }

  /** Each state is another workspace's. Sockets echo. */
  async door(state = "state"): Promise<Door> {
    const stateDir = join(this.folder, state);
    await mkdir(stateDir, { recursive: true, mode: 0o700 });
    const door = await Door.open({
      pageFolder: join(this.folder, "page"),
      stateDir,
      bodies: this.bodies,
      picture: async (uri) => this.pictures.get(uri) ?? null,
      onSocket: (socket) => socket.on("message", (data) => socket.send(data.toString())),
      report: (problem) => this.problems.push(problem),
    });
    this.#doors.push(door);
    return door;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#doors.map((door) => door.close()));
    await rm(this.folder, { recursive: true });
  }
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

interface Ask {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends the path as it is, without making it simpler first. */
export async function ask(door: Door, path: string, { method, headers, body }: Ask = {}) {
  const asked = request({
    port: door.port,
    host: "127.0.0.1",
    path,
    method,
    headers,
    agent: false,
  });
  asked.end(body);
  const [response] = await once(asked, "response");
  const answer: Answer = {
    status: response.statusCode,
    headers: response.headers,
    body: await text(response),
  };
  return answer;
}

export const originOf = (door: Door) => `http://127.0.0.1:${door.port}`;

/** What a browser has after it opened a launch address: the header with its cookie. */
export async function enter(door: Door): Promise<{ cookie: string }> {
  const { pathname, search } = new URL(door.launchUrl());
  const { headers } = await ask(door, pathname + search);
  return { cookie: headers["set-cookie"]?.[0]?.split(";")[0] ?? "" };
}

/** A window's socket. Fails with "Unexpected server response: 403" and the like. */
export async function socketTo(
  door: Door,
  headers: Readonly<Record<string, string>>,
  path = "/socket",
): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${door.port}${path}`, { headers });
  await once(socket, "open");
  return socket;
}

/** The status of an answer to lines that no client would send. */
export async function rawStatus(door: Door, lines: readonly string[]): Promise<number> {
  const socket = connect({ port: door.port, host: "127.0.0.1" });
  socket.write(`${lines.join("\r\n")}\r\n\r\n`);
  const [chunk] = await once(socket, "data");
  socket.destroy();
  return Number(String(chunk).split(" ")[1]);
}

export const UPGRADE = [
  "Connection: Upgrade",
  "Upgrade: websocket",
  "Sec-WebSocket-Version: 13",
  "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
];
