import type { CallInput, CallOutput, Events, TextSnapshot } from "@lockstep/workbench/contract";
import { call, linkStatus, on, onLink } from "../replica/link.js";

/** The way to the shared texts of the workbench. Fails with RpcError where the workbench refuses. */
export interface TextWire {
  attach(name: string): Promise<TextSnapshot>;
  detach(name: string): Promise<void>;
  push(input: CallInput<"text.push">): Promise<boolean>;
  pull(input: CallInput<"text.pull">): Promise<CallOutput<"text.pull">>;
  onUpdates(listener: (event: Events["text.updates"]) => void): () => void;
  /** Runs for each link that is made from now on, not for the one there is. */
  onLater(opener: () => Promise<void>): () => void;
}

/** The link of this window. */
export const linkWire: TextWire = {
  attach: (name) => call("text.attach", { name }),
  detach: (name) => call("text.detach", { name }),
  push: (input) => call("text.push", input),
  pull: (input) => call("text.pull", input),
  onUpdates: (listener) => on("text.updates", listener),
  onLater: (opener) => {
    let there = linkStatus() === "open";
    return onLink(async () => {
      if (there) there = false;
      else await opener();
    });
  },
};
