import { diffs } from "./diffs.js";
import { discovery } from "./discovery.js";
import { handshake } from "./handshake.js";
import type { IdeCheck } from "./ide-check.js";
import { lifecycle } from "./lifecycle.js";
import { notifications } from "./notifications.js";
import { positions } from "./positions.js";
import { security } from "./security.js";
import { tools } from "./tools.js";
import { transport } from "./transport.js";
import { vault } from "./vault.js";

/** In the order of docs/protocol.md. */
export const IDE_CHECKS: readonly IdeCheck[] = [
  ...discovery,
  ...transport,
  ...handshake,
  ...tools,
  ...positions,
  ...diffs,
  ...notifications,
  ...lifecycle,
  ...security,
  ...vault,
].sort((a, b) => number(a) - number(b));

function number({ clause }: IdeCheck): number {
  return Number(clause.slice(1));
}
