import type { CDPSession } from "playwright-core";

/** Counts what comes over the wire: heads and bodies of all answers, as they are compressed. */
export class Transfer {
  #bytes = 0;

  static async watch(cdp: CDPSession): Promise<Transfer> {
    const transfer = new Transfer();
    cdp.on("Network.loadingFinished", ({ encodedDataLength }) => {
      transfer.#bytes += encodedDataLength;
    });
    await cdp.send("Network.enable");
    return transfer;
  }

  get kilobytes(): number {
    return this.#bytes / 1_000;
  }
}
