import { setTimeout as pause } from "node:timers/promises";
import type { CDPSession } from "playwright-core";

/** So long after the last answer nothing more belongs to what was just done. */
const QUIET_MS = 500;

/** Counts what comes over the wire: heads and bodies of all answers, as they are compressed. */
export class Transfer {
  readonly #open = new Set<string>();
  #bytes = 0;
  #lastAt = performance.now();

  static async watch(cdp: CDPSession): Promise<Transfer> {
    const transfer = new Transfer();
    cdp.on("Network.requestWillBeSent", ({ requestId }) => transfer.#open.add(requestId));
    cdp.on("Network.loadingFailed", ({ requestId }) => transfer.#end(requestId, 0));
    cdp.on("Network.loadingFinished", ({ requestId, encodedDataLength }) =>
      transfer.#end(requestId, encodedDataLength),
    );
    await cdp.send("Network.enable");
    return transfer;
  }

  /** What has come once nothing is on its way any more. */
  async kilobytes(): Promise<number> {
    while (this.#open.size > 0 || performance.now() - this.#lastAt < QUIET_MS) await pause(50);
    return this.#bytes / 1_000;
  }

  #end(requestId: string, bytes: number): void {
    this.#open.delete(requestId);
    this.#bytes += bytes;
    this.#lastAt = performance.now();
  }
}
