import {
  InitializeReply,
  LATEST_PROTOCOL_VERSION,
  methodNotFound,
  Notification,
  Peer,
  type RequestOptions,
} from "@lockstep/protocol";
import { refusedToken } from "../errors.js";
import { VERSION } from "../version.js";
import type { OnFault } from "./isolate.js";
import type { Line, Server } from "./line.js";
import type { Socket } from "./socket.js";

export interface ConversationOptions {
  /** What editors show of this agent. */
  readonly clientName?: string;
  /** The agent's process, which some editors want to know. */
  readonly pid?: number;
  readonly onNotification?: (method: string, params: unknown) => void;
  /** Sees every message as it goes over the wire, both ways. */
  readonly onMessage?: (direction: "sent" | "received", text: string) => void;
  /** Told of what `onNotification` throws. */
  readonly onFault?: OnFault;
}

/** MCP with an editor over one socket, up to where the editor may push. */
export async function converse(
  socket: Socket,
  options: ConversationOptions,
  handshake: RequestOptions,
): Promise<Line> {
  const { clientName = "lockstep", pid, onNotification, onMessage, onFault } = options;
  const peer = new Peer({
    send: (text) => {
      onMessage?.("sent", text);
      socket.send(text);
    },
    onRequest: (method) => {
      if (method === "ping") return {};
      throw methodNotFound();
    },
    onNotification,
    onFault,
  });
  let closeCode: number | undefined;
  const closed = new Promise<void>((resolve) => {
    socket.listen({
      message: (text) => {
        onMessage?.("received", text);
        peer.receive(text);
      },
      closed: (code) => {
        closeCode ??= code;
        peer.close();
        resolve();
      },
    });
  });
  try {
    const introduction = {
      protocolVersion: LATEST_PROTOCOL_VERSION,
      capabilities: {},
      clientInfo: { name: clientName, version: VERSION },
    };
    const reply = await peer.request("initialize", introduction, handshake);
    peer.notify(Notification.initialized);
    peer.notify(Notification.ideConnected, { pid });
    return {
      server: introduced(reply),
      request: (method, params, request) => peer.request(method, params, request),
      closed,
      async close() {
        socket.close();
        await closed;
      },
    };
  } catch (error) {
    socket.close();
    // The official VS Code extension upgrades first and refuses a wrong token by this close.
    throw closeCode === 1008 ? refusedToken() : error;
  }
}

/** Not every editor says all of it. */
function introduced(reply: unknown): Server {
  const { protocolVersion, serverInfo } = InitializeReply.safeParse(reply).data ?? {};
  return {
    name: serverInfo?.name ?? "unnamed",
    version: serverInfo?.version ?? "",
    protocolVersion: protocolVersion ?? "",
  };
}
