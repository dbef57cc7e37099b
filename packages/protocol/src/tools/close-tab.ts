import * as z from "zod/mini";
import { holdsPath } from "../path-fields.js";

export const closeTab = {
  name: "close_tab",
  description: "Close a tab by name",
  input: z.object({
    /** A label, or a path: what is no path passes a translation unchanged. */
    tab_name: holdsPath(z.string()),
  }),
} as const;

/**
 * The reply of close_tab, also when nothing matched. It must never answer an openDiff: the CLI
 * takes it there for a yes.
 */
export const TAB_CLOSED = "TAB_CLOSED";
