import { ConnectionClosed, RpcError } from "@lockstep/protocol";
import { SharedText } from "../../workbench/src/texts/shared-text.js";
import type { TextWire } from "../src/editor/text-wire.js";

/** A real shared text, which may be exchanged for its next life as a restart does. */
export class Authority {
  text: SharedText;
  /** Why it may not be edited. */
  refusal: string | null = null;
  /** Nobody knows the text any more. */
  isGone = false;

  constructor(text: string) {
    this.text = new SharedText(text);
  }

  /** "anew": an unknown text, another epoch. "resumed": the same epoch and version, but no history. */
  restart(kind: "anew" | "resumed"): void {
    const { epoch, version } = this.text;
    this.text = new SharedText(
      this.text.toString(),
      kind === "resumed" ? { epoch, version } : undefined,
    );
  }
}

/** Messages on their way, delivered one by one in an order that the test chooses. */
export class Mail {
  readonly #letters: (() => void)[] = [];

  post(letter: () => void): void {
    this.#letters.push(letter);
  }

  /** Delivers one; false if none is under way. */
  async deliver(which = 0): Promise<boolean> {
    await idle();
    const [letter] = this.#letters.splice(which % Math.max(1, this.#letters.length), 1);
    letter?.();
    await idle();
    return letter !== undefined;
  }

  async deliverAll(): Promise<void> {
    while (await this.deliver()) {}
  }
}

/** Everything that waits for nothing but a promise has been done. */
const idle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A window's wire to the authority over the mail, with a link that can be cut. */
export class MailWire implements TextWire {
  readonly #authority: Authority;
  readonly #mail: Mail;
  readonly #listeners = new Set<Parameters<TextWire["onUpdates"]>[0]>();
  readonly #openers = new Set<() => Promise<void>>();
  /** Ends what is under way on a link when it is cut. */
  #link: AbortController | null = new AbortController();
  pulls = 0;
  attaches = 0;

  constructor(authority: Authority, mail: Mail) {
    this.#authority = authority;
    this.#mail = mail;
  }

  cut(): void {
    this.#link?.abort();
    this.#link = null;
  }

  mend(): void {
    if (this.#link) return;
    this.#link = new AbortController();
    for (const opener of this.#openers) void opener();
  }

  attach(name: string) {
    this.attaches++;
    const link = this.#link?.signal;
    return this.#ask(() => {
      if (this.#authority.isGone) throw new RpcError(-32001, "It is not open.");
      const { text } = this.#authority;
      const subscription = text.subscribe(({ version, updates }) => {
        const event = { name, epoch: text.epoch, version, updates };
        this.#mail.post(() => {
          if (!link?.aborted) for (const listener of this.#listeners) listener(event);
        });
      });
      link?.addEventListener("abort", () => subscription[Symbol.dispose]());
      return text.snapshot;
    });
  }

  async detach() {}

  push({ epoch, version, updates }: Parameters<TextWire["push"]>[0]) {
    return this.#ask(() => {
      if (this.#authority.isGone) throw new RpcError(-32001, "It is not open.");
      if (this.#authority.refusal) throw new RpcError(-32000, this.#authority.refusal);
      return this.#authority.text.receive(epoch, version, updates);
    });
  }

  pull({ epoch, version }: Parameters<TextWire["pull"]>[0]) {
    this.pulls++;
    return this.#ask(() => this.#authority.text.since(epoch, version));
  }

  onUpdates(listener: Parameters<TextWire["onUpdates"]>[0]) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  onLater(opener: () => Promise<void>) {
    this.#openers.add(opener);
    return () => this.#openers.delete(opener);
  }

  /** There by one letter, back by another. */
  #ask<Answer>(question: () => Answer): Promise<Answer> {
    const link = this.#link?.signal;
    return new Promise((resolve, reject) => {
      const closed = () => reject(new ConnectionClosed("The link is cut"));
      if (!link) return closed();
      link.addEventListener("abort", closed);
      this.#mail.post(() => {
        if (link.aborted) return;
        try {
          const answer = question();
          this.#mail.post(() => resolve(answer));
        } catch (error) {
          this.#mail.post(() => reject(error));
        }
      });
    });
  }
}
