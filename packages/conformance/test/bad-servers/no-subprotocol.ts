import type { BadServer } from "../bad-server.js";

/** The CLI does not connect to it at all. */
export const noSubprotocol: BadServer = { name: "no subprotocol", breaks: ["C8"], selects: false };
