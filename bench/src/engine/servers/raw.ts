// The least that a hand-written server does: parse, look at the method, stringify.
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { WebSocketServer } from "ws";
import { host } from "./host.js";
import { writePlainLock } from "./plain-lock.js";
import { callPlainTool, PLAIN_TOOLS, type PlainArguments } from "./plain-tools.js";

interface Message {
  readonly id?: number;
  readonly method: string;
  readonly params: {
    readonly name: string;
    readonly arguments: PlainArguments;
    readonly protocolVersion: string;
  };
}

await host(async (place) => {
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
  await once(server, "listening");
  server.on("connection", (socket) => {
    socket.on("message", (data) => {
      const { id, method, params } = JSON.parse(data.toString()) as Message;
      if (id === undefined) return;
      const result = answer(method, params, place.workspace);
      socket.send(JSON.stringify({ jsonrpc: "2.0", id, result }));
    });
  });
  const { port } = server.address() as AddressInfo;
  const lock = writePlainLock(place, port);
  return {
    port,
    lockFile: lock.path,
    stop: async () => {
      lock.remove();
      server.close();
    },
  };
});

function answer(method: string, params: Message["params"], workspace: string): unknown {
  switch (method) {
    case "initialize":
      return {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name: "Lockstep", version: "0.1.0" },
      };
    case "tools/list":
      return { tools: PLAIN_TOOLS };
    case "tools/call":
      return callPlainTool(params.name, params.arguments, workspace);
    default:
      return {};
  }
}
