import type { RequestOptions } from "@lockstep/protocol";
import { type Connection, connectionOver } from "../wire/connection.js";
import { type ConversationOptions, converse } from "../wire/conversation.js";
import { EventHub } from "../wire/events.js";
import { isolate, type OnFault } from "../wire/isolate.js";
import type { Line } from "../wire/line.js";
import { dial } from "./dial.js";
import type { Ide } from "./ide.js";
import { LastingLine, type ReconnectOptions } from "./reconnect.js";
import { warn } from "./warn.js";

export interface ConnectOptions {
  /** Ends the attempt; a connection that stands is closed by `close`. */
  readonly signal?: AbortSignal;
  /** For the connection and its handshake together, each time. */
  readonly timeoutMs?: number;
  readonly clientName?: string;
  /** Sees every notification as it is, from the first on. */
  readonly onNotification?: (method: string, params: unknown) => void;
  /** Sees every message as it goes over the wire, both ways. */
  readonly onMessage?: ConversationOptions["onMessage"];
  /** Told of what a listener throws, which ends nothing; by default it is a warning of the process. */
  readonly onFault?: OnFault;
  /** Connects again when the connection drops; by default it does not. */
  readonly reconnect?: boolean | ReconnectOptions;
}

export interface IdeConnection extends Connection {
  /** The editor as it was found last: after a reconnect it may be on another port. */
  readonly ide: Ide;
}

const PATIENCE_MS = 10_000;

/**
 * Connects to an editor as an agent does.
 *
 * @example
 * const connection = await connect(chooseIde(await findIdes()), { reconnect: true });
 * connection.on("selection_changed", ({ text }) => console.log(text));
 * const tabs = await connection.tools.getOpenEditors();
 * await connection.close();
 */
export async function connect(ide: Ide, options: ConnectOptions = {}): Promise<IdeConnection> {
  const { reconnect, clientName, onNotification, onFault = warn } = options;
  const events = new EventHub(onFault);
  const conversation: ConversationOptions = {
    clientName,
    pid: process.pid,
    onMessage: options.onMessage,
    onFault,
    onNotification: (method, params) => {
      isolate(() => onNotification?.(method, params), onFault);
      events.receive(method, params);
    },
  };
  const call = async (to: Ide, signal?: AbortSignal): Promise<Line> => {
    const limits: RequestOptions = { timeoutMs: options.timeoutMs ?? PATIENCE_MS, signal };
    return converse(await dial(to, limits), conversation, limits);
  };
  const first = await call(ide, options.signal);
  if (!reconnect) return Object.assign(connectionOver(first, events), { ide });
  const line = new LastingLine(ide, first, call, events, reconnect === true ? {} : reconnect);
  return Object.defineProperty(connectionOver(line, events), "ide", {
    get: () => line.ide,
  }) as IdeConnection;
}
