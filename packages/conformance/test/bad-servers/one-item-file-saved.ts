import { FILE_SAVED } from "@lockstep/protocol";
import type { BadServer } from "../bad-server.js";
import { textsOf, withTexts } from "./texts.js";

export const oneItemFileSaved: BadServer = {
  name: "FILE_SAVED without the contents",
  breaks: ["C37"],
  reply: (message, { tool }) =>
    tool === "openDiff" && textsOf(message)[0] === FILE_SAVED
      ? withTexts(message, FILE_SAVED)
      : message,
};
