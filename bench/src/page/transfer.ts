import { setTimeout as pause } from "node:timers/promises";
import type { CDPSession } from "playwright-core";

/** So long after the last answer nothing more belongs to what was just done. */
const QUIET_MS = 500;

/** Counts what comes over the wire: heads and bodies of all answers, as they are compressed. */
export class Transfer {
  #bytes = 0;
  #lastAt = performance.now();

  static async watch(cdp: CDPSession): Promise<Transfer> {
    const transfer = new Transfer();
    cdp.on("Network.loadingFinished", ({ encodedDataLength }) => {
      transfer.#bytes += encodedDataLength;
      transfer.#lastAt = performance.now();
    });
    await cdp.send("Network.enable");
    return transfer;
  }

  /** What has come once no more comes. */
  async kilobytes(): Promise<number> {
    while (performance.now() - this.#lastAt < QUIET_MS) await pause(50);
    return this.#bytes / 1_000;
  }
}
