import type { Dealer, Request, Subscriber } from "zeromq";
import type { Connection } from "./connection.js";
import { type Fields, type KernelMessage, MessageSigner } from "./kernel-message.js";

/**
 * No message of a kernel may be longer, because it has to be held whole: a loop that prints fills a
 * gigabyte between two of them. The connection is dropped then, and made anew.
 */
const LONGEST_MESSAGE = 64 * 1024 * 1024;
/** How often a kernel is asked whether it lives, and how long it has for each answer. */
const HEARTBEAT_MS = 3_000;

export interface ChannelListeners {
  /** Answers to requests. */
  readonly onReply: (message: KernelMessage) => void;
  /** Outputs and states. */
  readonly onNews: (message: KernelMessage) => void;
  /** Outputs were lost, because they were too many at once. */
  readonly onLoss: () => void;
  /** Whether the kernel answered when it was last asked for a sign of life. */
  readonly onPulse: (alive: boolean) => void;
}

/** The sockets to one kernel. What is not signed with its key is not heard. */
export class KernelChannels implements Disposable {
  readonly #signer: MessageSigner;
  readonly #shell: Dealer;
  readonly #control: Dealer;
  readonly #news: Subscriber;
  readonly #heart: Request;
  #sending: Promise<void> = Promise.resolve();
  #isClosed = false;

  static async open(connection: Connection, listeners: ChannelListeners): Promise<KernelChannels> {
    // Only who runs code pays for the native library.
    const zmq = await import("zeromq");
    // A workbench that ends does not wait for messages that nobody takes.
    zmq.context.blocky = false;
    return new KernelChannels(zmq, connection, listeners);
  }

  private constructor(
    zmq: typeof import("zeromq"),
    connection: Connection,
    listeners: ChannelListeners,
  ) {
    const options = { linger: 0, maxMessageSize: LONGEST_MESSAGE };
    this.#signer = new MessageSigner(connection.key);
    this.#shell = new zmq.Dealer(options);
    this.#control = new zmq.Dealer(options);
    // All are taken in as they come and bounded behind: a lost one would be a lost output.
    this.#news = new zmq.Subscriber({ ...options, receiveHighWaterMark: 0 });
    const patience = { receiveTimeout: HEARTBEAT_MS, sendTimeout: HEARTBEAT_MS };
    this.#heart = new zmq.Request({ linger: 0, relaxed: true, correlate: true, ...patience });
    this.#followNews(connection.address("iopub"), listeners.onLoss);
    this.#news.subscribe();
    this.#shell.connect(connection.address("shell"));
    this.#control.connect(connection.address("control"));
    this.#heart.connect(connection.address("hb"));
    void this.#listen(this.#shell, listeners.onReply);
    void this.#listen(this.#control, listeners.onReply);
    void this.#listen(this.#news, listeners.onNews);
    void this.#feelPulse(listeners.onPulse);
  }

  /** Sends a request and answers its id. */
  send(channel: "shell" | "control", type: string, content: Fields): string {
    const { id, frames } = this.#signer.request(type, content);
    const socket = channel === "shell" ? this.#shell : this.#control;
    // A socket takes one message at a time. If it is closed, so is the kernel, which is told elsewhere.
    this.#sending = this.#sending.then(() => socket.send(frames)).catch(() => {});
    return id;
  }

  [Symbol.dispose](): void {
    this.#isClosed = true;
    for (const socket of [this.#shell, this.#control, this.#news, this.#heart]) socket.close();
  }

  /** A connection that was dropped for a message that is too long does not come back by itself. */
  #followNews(address: string, onLoss: () => void): void {
    let isDropped = false;
    this.#news.events.on("disconnect", () => {
      if (isDropped || this.#isClosed) return;
      isDropped = true;
      this.#news.disconnect(address);
      this.#news.connect(address);
    });
    // Of a kernel that has ended there is no coming back.
    this.#news.events.on("handshake", () => {
      if (isDropped && !this.#isClosed) onLoss();
      isDropped = false;
    });
    this.#news.connect(address);
  }

  async #listen(
    socket: Dealer | Subscriber,
    onMessage: (message: KernelMessage) => void,
  ): Promise<void> {
    for await (const frames of socket) {
      const message = this.#signer.read(frames);
      if (message && !this.#isClosed) onMessage(message);
    }
  }

  async #feelPulse(onPulse: (alive: boolean) => void): Promise<void> {
    while (!this.#isClosed) {
      const alive = await this.#heart
        .send("ping")
        .then(() => this.#heart.receive())
        .then(
          () => true,
          () => false,
        );
      if (this.#isClosed) return;
      onPulse(alive);
      await new Promise((resolve) => setTimeout(resolve, HEARTBEAT_MS).unref());
    }
  }
}
