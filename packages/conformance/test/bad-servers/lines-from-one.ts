import type { BadServer } from "../bad-server.js";
import { mapPositions } from "./texts.js";

export const linesFromOne: BadServer = {
  name: "lines from 1",
  breaks: ["C27"],
  reply: (message) =>
    mapPositions(message, ({ line, character }) => ({ line: line + 1, character })),
};
