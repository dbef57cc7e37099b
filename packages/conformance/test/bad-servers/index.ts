import type { BadServer } from "../bad-server.js";
import { byteColumns } from "./byte-columns.js";
import { crashOnNull } from "./crash-on-null.js";
import { linesFromOne } from "./lines-from-one.js";
import { noAuth } from "./no-auth.js";
import { nullText } from "./null-text.js";
import { oneItemFileSaved } from "./one-item-file-saved.js";
import { readableLock } from "./readable-lock.js";
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
];
