import type { BadServer } from "../bad-server.js";

export const readableLock: BadServer = {
  name: "a lock file that everybody can read",
  breaks: ["C55"],
  lockMode: 0o644,
};
