import { AUTH_HEADER } from "@lockstep/protocol";
import type { BadServer } from "../bad-server.js";

/** Lets anybody in who reaches the port, as several public servers do. */
export const noAuth: BadServer = {
  name: "no auth",
  breaks: ["C56"],
  headers: (headers, token) => ({ ...headers, [AUTH_HEADER]: token }),
};
