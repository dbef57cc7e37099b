import type { BadServer } from "../bad-server.js";

/** Answers a person, but not an agent that takes its proposal back. */
export const unansweredDiffs: BadServer = {
  name: "closed proposals that are never answered",
  breaks: ["C40"],
  reply: (message, { tool, closing }) => (tool === "openDiff" && closing ? null : message),
};
