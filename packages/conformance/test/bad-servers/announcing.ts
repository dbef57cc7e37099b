import { AUTH_HEADER } from "@lockstep/protocol";
import type { BadServer } from "../bad-server.js";
import { having, lacking } from "./change.js";

/** What can be wrong with a lock file and with who is let in. */
export const ANNOUNCING: readonly BadServer[] = [
  { name: "a lock file that names no port", breaks: ["C1"], lockName: "editor.lock" },
  { name: "no transport in the lock file", breaks: ["C2"], lock: lacking("transport") },
  { name: "no process in the lock file", breaks: ["C2", "C3"], lock: lacking("pid") },
  { name: "a dead process in the lock file", breaks: ["C3"], lock: having("pid", 2 ** 22 + 1) },
  {
    name: "a relative workspace folder",
    breaks: ["C4"],
    lock: having("workspaceFolders", ["project"]),
  },
  { name: "another path", breaks: ["C7"], refuses: 404 },
  {
    name: "no token in the lock file",
    breaks: ["C56"],
    lock: lacking("authToken"),
    headers: (headers, token) => ({ ...headers, [AUTH_HEADER]: token }),
  },
  {
    name: "web pages let in",
    breaks: ["C59"],
    headers: ({ origin: _ignored, ...headers }) => headers,
  },
  {
    name: "any host let in",
    breaks: ["C60"],
    headers: ({ host: _ignored, ...headers }) => headers,
  },
];
