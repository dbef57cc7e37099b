import { TAB_CLOSED } from "@lockstep/protocol";
import type { BadServer } from "../bad-server.js";
import { withTexts } from "./texts.js";

/** The CLI takes this for a yes. */
export const tabClosedOnClose: BadServer = {
  name: "TAB_CLOSED for a proposal that was closed",
  breaks: ["C41", "C42"],
  reply: (message, { tool, closing }) =>
    tool === "openDiff" && closing ? withTexts(message, TAB_CLOSED) : message,
};
