/** For what stands between an agent and an editor: the socket itself, and how to find its editor again. */
export { dial, type OpenSocket } from "./node/dial.js";
export { findAgain } from "./node/find-again.js";
export { type LinkOptions, openLink } from "./node/open-link.js";
export { DELAYS_MS } from "./node/reconnect.js";
