import { PROBE } from "../../src/ide/checks/probe.js";
import type { BadServer } from "../bad-server.js";
import { mapPositions } from "./texts.js";

/** As an editor that counts bytes says it of the probe's text. */
export const byteColumns: BadServer = {
  name: "columns in bytes",
  breaks: ["C28"],
  reply: (message) =>
    mapPositions(message, ({ line, character }) => {
      const before = PROBE.text.split("\n")[line]?.slice(0, character) ?? "";
      return { line, character: Buffer.byteLength(before) };
    }),
};
