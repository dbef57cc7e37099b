import type { BadServer } from "../bad-server.js";
import { ANNOUNCING } from "./announcing.js";
import { ANSWERING } from "./answering.js";
import { byteColumns } from "./byte-columns.js";
import { crashOnNull } from "./crash-on-null.js";
import { linesFromOne } from "./lines-from-one.js";
import { noAuth } from "./no-auth.js";
import { noSubprotocol } from "./no-subprotocol.js";
import { nullText } from "./null-text.js";
import { oneItemFileSaved } from "./one-item-file-saved.js";
import { readableLock } from "./readable-lock.js";
import { SPEAKING } from "./speaking.js";
import { status400 } from "./status-400.js";
import { tabClosedOnClose } from "./tab-closed-on-close.js";
import { unansweredDiffs } from "./unanswered-diffs.js";

export const BAD_SERVERS: readonly BadServer[] = [
  noAuth,
  status400,
  readableLock,
  oneItemFileSaved,
  tabClosedOnClose,
  unansweredDiffs,
  nullText,
  linesFromOne,
  byteColumns,
  crashOnNull,
  noSubprotocol,
];

/** For every other clause a server that breaks it, so that no check passes whatever it sees. */
export const MORE_BAD_SERVERS: readonly BadServer[] = [...ANNOUNCING, ...SPEAKING, ...ANSWERING];
