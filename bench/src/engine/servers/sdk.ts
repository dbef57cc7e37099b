// The MCP SDK's Server on ws. The SDK has no WebSocket transport for a server, so one is here.
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { deserializeMessage } from "@modelcontextprotocol/sdk/shared/stdio.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  CallToolRequestSchema,
  type JSONRPCMessage,
  ListToolsRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { type WebSocket, WebSocketServer } from "ws";
import { host } from "./host.js";
import { writePlainLock } from "./plain-lock.js";
import { callPlainTool, PLAIN_TOOLS } from "./plain-tools.js";

await host(async (place) => {
  const webSockets = new WebSocketServer({ host: "127.0.0.1", port: 0 });
  await once(webSockets, "listening");
  webSockets.on("connection", async (socket) => {
    // A Server speaks to one client only.
    const server = new Server(
      { name: "Lockstep", version: "0.1.0" },
      { capabilities: { tools: { listChanged: true } } },
    );
    server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: PLAIN_TOOLS }));
    server.setRequestHandler(CallToolRequestSchema, ({ params }) =>
      callPlainTool(params.name, params.arguments ?? {}, place.workspace),
    );
    await server.connect(new SocketTransport(socket));
  });
  const { port } = webSockets.address() as AddressInfo;
  const lock = writePlainLock(place, port);
  return {
    port,
    lockFile: lock.path,
    stop: async () => {
      lock.remove();
      webSockets.close();
    },
  };
});

class SocketTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onclose?: () => void;

  constructor(readonly socket: WebSocket) {}

  async start(): Promise<void> {
    // Checked against the SDK's schema, as its own transports do.
    this.socket.on("message", (data) => this.onmessage?.(deserializeMessage(data.toString())));
    this.socket.on("close", () => this.onclose?.());
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.socket.send(JSON.stringify(message));
  }

  async close(): Promise<void> {
    this.socket.close();
  }
}
