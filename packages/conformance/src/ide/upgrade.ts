import { randomBytes } from "node:crypto";
import { connect, isIPv6 } from "node:net";
import { AUTH_HEADER, SUBPROTOCOL } from "@lockstep/protocol";

export interface UpgradeRequest {
  readonly port: number;
  /** Where the port is, if not on 127.0.0.1. */
  readonly address?: string | undefined;
  /** What the header Host says. */
  readonly host?: string;
  /** Absent: no such header. */
  readonly token?: string;
  readonly origin?: string;
  readonly patienceMs: number;
}

export interface UpgradeReply {
  readonly status: number;
  /** The one that the server has chosen; null for none. */
  readonly subprotocol: string | null;
  /** The close code, where the upgrade was granted only to be closed at once. */
  readonly closeCode: number | null;
}

/** In a close frame of a server: unmasked, its code in the first two bytes of the payload. */
const CLOSE_FRAME = 0x88;

/** How long a server that refuses after the upgrade may take to say so. */
const REFUSAL_MS = 500;

/** Asks for the WebSocket with exactly these headers, and sees how that is answered. */
export function requestUpgrade(request: UpgradeRequest): Promise<UpgradeReply> {
  const { port, token, origin, patienceMs, address = "127.0.0.1" } = request;
  const { host = `${isIPv6(address) ? `[${address}]` : address}:${port}` } = request;
  const lines = [
    "GET / HTTP/1.1",
    `Host: ${host}`,
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    `Sec-WebSocket-Key: ${randomBytes(16).toString("base64")}`,
    `Sec-WebSocket-Protocol: ${SUBPROTOCOL}`,
    ...(token === undefined ? [] : [`${AUTH_HEADER}: ${token}`]),
    ...(origin === undefined ? [] : [`Origin: ${origin}`]),
  ];
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: address });
    let bytes = Buffer.alloc(0);
    const done = () => {
      clearTimeout(timer);
      socket.destroy();
      const head = bytes.toString("latin1").split("\r\n\r\n")[0] ?? "";
      const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0);
      const subprotocol = /^sec-websocket-protocol:\s*(.*?)\s*$/im.exec(head)?.[1] ?? null;
      resolve({ status, subprotocol, closeCode: status === 101 ? closeCode(bytes) : null });
    };
    let timer = setTimeout(done, patienceMs);
    socket.on("error", reject);
    socket.on("end", done);
    socket.on("data", (chunk) => {
      const upgraded = bytes.length > 0;
      bytes = Buffer.concat([bytes, chunk]);
      if (upgraded || !bytes.toString("latin1").startsWith("HTTP/1.1 101")) return;
      clearTimeout(timer);
      timer = setTimeout(done, Math.min(REFUSAL_MS, patienceMs));
    });
    socket.write(`${lines.join("\r\n")}\r\n\r\n`);
  });
}

function closeCode(bytes: Buffer): number | null {
  const frame = bytes.subarray(bytes.indexOf("\r\n\r\n") + 4);
  return frame[0] === CLOSE_FRAME && frame.length >= 4 ? frame.readUInt16BE(2) : null;
}
