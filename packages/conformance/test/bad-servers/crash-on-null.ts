import type { BadServer } from "../bad-server.js";

/** Reads a field of every message before it looks what it is: an uncaught TypeError ends it. */
export const crashOnNull: BadServer = {
  name: "a crash on JSON null",
  // Nothing listens any more when the later clauses are looked at.
  breaks: ["C23"],
  survives: (text) => text !== "null",
};
