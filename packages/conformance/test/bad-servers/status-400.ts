import type { BadServer } from "../bad-server.js";

export const status400: BadServer = {
  name: "400 instead of 401",
  breaks: ["C57"],
  status: (status) => (status === 401 ? 400 : status),
};
