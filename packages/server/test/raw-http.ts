import { connect } from "node:net";

export interface RawReply {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** Sends a request as it is written here, so that headers may be missing, doubled or wrong. */
export function rawRequest(
  port: number,
  lines: readonly string[],
  { host = "127.0.0.1", path = "/" } = {},
): Promise<RawReply> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host });
    let text = "";
    const done = () => {
      socket.destroy();
      const [head = "", body = ""] = text.split("\r\n\r\n");
      resolve({ status: Number(head.split(" ")[1]), head, body });
    };
    socket.on("error", reject);
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
      // An upgraded connection stays open.
      if (text.startsWith("HTTP/1.1 101") && text.includes("\r\n\r\n")) done();
    });
    socket.on("end", done);
    socket.write(`${[`GET ${path} HTTP/1.1`, ...lines].join("\r\n")}\r\n\r\n`);
  });
}

export const UPGRADE = [
  "Connection: Upgrade",
  "Upgrade: websocket",
  "Sec-WebSocket-Version: 13",
  "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
];
