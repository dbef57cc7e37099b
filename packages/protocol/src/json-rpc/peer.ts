import { classify, ErrorCode, type Id, type Message, RpcError } from "./messages.js";
import { hasTooManyValues } from "./value-count.js";

/** The request being answered. */
export interface Incoming {
  readonly id: Id;
  /** Whether that has happened; asking costs nothing, while a signal has to be made. */
  readonly aborted: boolean;
  /** Fires when the other side cancels the request or the connection ends. */
  readonly signal: AbortSignal;
}

export interface PeerOptions {
  /** Hands one message to the transport. */
  readonly send: (message: string) => void;
  /** Answers a request; what it throws becomes the error. Calls overlap: none waits for another. */
  readonly onRequest?: (method: string, params: unknown, incoming: Incoming) => unknown;
  readonly onNotification?: (method: string, params: unknown) => void;
  /** Whether a batch is answered now; MCP had batches in one version only. Absent means no. */
  readonly acceptsBatch?: () => boolean;
  /** What may be asked of this side at one time. Absent means: anything. */
  readonly limits?: PeerLimits;
  /** Told of an exception that is no {@link RpcError}; the other side sees "Internal error" only. */
  readonly onFault?: (error: unknown) => void;
}

/** The other side is refused more, until something of it is answered. */
export interface PeerLimits {
  /** Requests that are being answered, cancelled ones too: their work may still go on. */
  readonly requests: number;
  /** The length of their messages in all. */
  readonly characters: number;
}

export interface RequestOptions {
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

/** Ends a request of ours: the transport closed before the answer came. */
export class ConnectionClosed extends Error {
  override readonly name = "ConnectionClosed";
}

/** Ends a request of ours: no answer in time. */
export class RequestTimedOut extends Error {
  override readonly name = "RequestTimedOut";
}

interface Outgoing {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** MCP's own name; every Lockstep transport uses it, so that one peer serves them all. */
const CANCELLED = "notifications/cancelled";

/** A batch is one message with one reply, so a long one would become a reply without measure. */
const LONGEST_BATCH = 1_000;

/**
 * One side of a JSON-RPC 2.0 conversation, without a transport: text goes in by {@link receive} and
 * out by `send`. Both sides may ask and answer.
 *
 * @example
 * const left: Peer = new Peer({ send: (text) => right.receive(text) });
 * const right: Peer = new Peer({
 *   send: (text) => left.receive(text),
 *   onRequest: (method) => `you called ${method}`,
 * });
 * await left.request("hello"); // "you called hello"
 */
export class Peer {
  readonly #options: PeerOptions;
  readonly #outgoing = new Map<Id, Outgoing>();
  readonly #incoming = new Map<Id, InFlight>();
  #answering = { requests: 0, characters: 0 };
  #nextId = 1;
  #closed = false;

  constructor(options: PeerOptions) {
    this.#options = options;
  }

  /** Takes one message off the transport. Never throws, whatever the text is. */
  receive(text: string): void {
    if (this.#closed) return;
    if (this.#options.limits && hasTooManyValues(text)) {
      this.#send(failure(null, ErrorCode.invalidRequest, "Invalid request: too many values"));
      return;
    }
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      this.#send(failure(null, ErrorCode.parse, "Parse error: the message is not JSON"));
      return;
    }
    const reply = Array.isArray(value)
      ? this.#batch(value, text.length)
      : this.#handle(classify(value), text.length);
    if (reply instanceof Promise) reply.then((late) => this.#send(late));
    else this.#send(reply);
  }

  /** Asks the other side. Rejects with its {@link RpcError}, or when aborted, late or closed. */
  request(method: string, params?: unknown, options: RequestOptions = {}): Promise<unknown> {
    const { signal, timeoutMs } = options;
    if (this.#closed) return Promise.reject(new ConnectionClosed("The connection is closed"));
    if (signal?.aborted) return Promise.reject(signal.reason);
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      const settle = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", onAbort);
        this.#outgoing.delete(id);
      };
      const giveUp = (error: unknown) => {
        settle();
        this.notify(CANCELLED, { requestId: id });
        reject(error);
      };
      const onAbort = () => giveUp(signal?.reason);
      const late = () => giveUp(new RequestTimedOut(`${method} got no answer in ${timeoutMs} ms`));
      const timer = timeoutMs === undefined ? undefined : setTimeout(late, timeoutMs);
      signal?.addEventListener("abort", onAbort, { once: true });
      this.#outgoing.set(id, {
        resolve: (result) => {
          settle();
          resolve(result);
        },
        reject: (error) => {
          settle();
          reject(error);
        },
      });
      this.#send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    });
  }

  notify(method: string, params?: unknown): void {
    this.#send(JSON.stringify({ jsonrpc: "2.0", method, params }));
  }

  /** The transport is gone: our requests reject, and what we were answering is aborted. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    const gone = new ConnectionClosed("The connection closed before the answer came");
    for (const waiting of [...this.#outgoing.values()]) waiting.reject(gone);
    for (const answering of [...this.#incoming.values()]) answering.abort(gone);
  }

  /** The reply to send, now or later; undefined where there is none. */
  #handle(message: Message, length: number): Reply {
    switch (message.kind) {
      case "request":
        return this.#answer(message.id, message.method, message.params, length);
      case "notification":
        this.#notified(message.method, message.params);
        return undefined;
      case "result":
        this.#outgoing.get(message.id)?.resolve(message.result);
        return undefined;
      case "error":
        if (message.id !== null) this.#outgoing.get(message.id)?.reject(message.error);
        return undefined;
      case "invalid":
        return failure(message.id, ErrorCode.invalidRequest, `Invalid request: ${message.why}`);
    }
  }

  #answer(id: Id, method: string, params: unknown, length: number): Reply {
    if (this.#incoming.has(id)) {
      const why = `Invalid request: id ${JSON.stringify(id)} is still being answered`;
      return failure(id, ErrorCode.invalidRequest, why);
    }
    const { onRequest, limits } = this.#options;
    if (!onRequest) return failure(id, ErrorCode.methodNotFound, "Method not found");
    const { requests, characters } = this.#answering;
    if (limits && (requests >= limits.requests || characters > limits.characters)) {
      return failure(id, ErrorCode.busy, "Too many requests at once: wait for an answer first");
    }
    const call = new InFlight(id);
    this.#incoming.set(id, call);
    let result: unknown;
    try {
      result = onRequest(method, params, call);
    } catch (error) {
      return this.#failed(call, error);
    }
    if (!(result instanceof Promise)) return this.#succeeded(call, result);
    this.#answering.requests++;
    this.#answering.characters += length;
    const settled = () => {
      this.#answering.requests--;
      this.#answering.characters -= length;
    };
    return result.then(
      (value) => {
        settled();
        return this.#succeeded(call, value);
      },
      (error) => {
        settled();
        return this.#failed(call, error);
      },
    );
  }

  /** A cancelled request gets no answer at all: that is what MCP asks for. */
  #succeeded(call: InFlight, result: unknown): string | undefined {
    if (call.aborted) return undefined;
    let reply: string;
    try {
      reply = JSON.stringify({ jsonrpc: "2.0", id: call.id, result: result ?? null });
    } catch (error) {
      // A cycle, a bigint, or more text than one string holds: a fault of the answer, not of ours.
      return this.#failed(call, error);
    }
    this.#incoming.delete(call.id);
    return reply;
  }

  #failed(call: InFlight, error: unknown): string | undefined {
    if (call.aborted) return undefined;
    this.#incoming.delete(call.id);
    if (error instanceof RpcError) return failure(call.id, error.code, error.message, error.data);
    this.#options.onFault?.(error);
    return failure(call.id, ErrorCode.internal, "Internal error");
  }

  #notified(method: string, params: unknown): void {
    if (method === CANCELLED) {
      this.#cancel((params as { requestId?: Id } | null | undefined)?.requestId);
      return;
    }
    try {
      this.#options.onNotification?.(method, params);
    } catch (error) {
      this.#options.onFault?.(error);
    }
  }

  /** The id is free again at once: an answer that never settles must not hold it. */
  #cancel(id: Id | undefined): void {
    const call = id === undefined ? undefined : this.#incoming.get(id);
    if (!call) return;
    this.#incoming.delete(call.id);
    call.abort(new Error("The request was cancelled"));
  }

  #batch(messages: readonly unknown[], length: number): Reply {
    const why = this.#whyNoBatch(messages.length);
    if (why) return failure(null, ErrorCode.invalidRequest, `Invalid request: ${why}`);
    const share = Math.ceil(length / messages.length);
    const replies = messages.map((message) => this.#handle(classify(message), share));
    return Promise.all(replies).then((settled) => {
      const texts = settled.filter((reply) => reply !== undefined);
      return texts.length === 0 ? undefined : `[${texts.join(",")}]`;
    });
  }

  #whyNoBatch(length: number): string | null {
    if (length === 0) return "an empty batch";
    if (!this.#options.acceptsBatch?.()) return "batches are not used here";
    return length > LONGEST_BATCH ? `a batch of more than ${LONGEST_BATCH} messages` : null;
  }

  #send(message: string | undefined): void {
    if (message !== undefined && !this.#closed) this.#options.send(message);
  }
}

type Reply = string | undefined | Promise<string | undefined>;

function failure(id: Id | null, code: number, message: string, data?: unknown): string {
  return JSON.stringify({ jsonrpc: "2.0", id, error: { code, message, data } });
}

/** A request that we are answering. Its controller is made on demand: most answers need none. */
class InFlight implements Incoming {
  #controller: AbortController | undefined;
  #reason: unknown;
  aborted = false;

  constructor(readonly id: Id) {}

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.aborted) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  abort(reason: unknown): void {
    this.aborted = true;
    this.#reason = reason;
    this.#controller?.abort(reason);
  }
}
