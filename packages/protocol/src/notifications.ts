import * as z from "zod/mini";
import { holdsPath, holdsUri } from "./path-fields.js";

/** 0-based line, 0-based UTF-16 column. */
export const WirePosition = z.object({ line: z.number(), character: z.number() });
export type WirePosition = z.infer<typeof WirePosition>;

/** `selection_changed`. The CLI drops it when text or filePath is null, so we never send that. */
export const SelectionChanged = z.object({
  text: z.string(),
  filePath: holdsPath(z.string()),
  fileUrl: holdsUri(z.string()),
  selection: z.object({ start: WirePosition, end: WirePosition, isEmpty: z.boolean() }),
});
export type SelectionChanged = z.infer<typeof SelectionChanged>;

/** `at_mentioned`, 0-based and inclusive. A whole file has no lines: null ones are dropped too. */
export const AtMentioned = z.object({
  filePath: holdsPath(z.string()),
  lineStart: z.optional(z.number()),
  lineEnd: z.optional(z.number()),
});
export type AtMentioned = z.infer<typeof AtMentioned>;

/** `diagnostics_changed`: the files always, and for a single one its problems too. */
export const DiagnosticsChanged = z.object({
  uris: z.array(holdsUri(z.string())),
  uri: z.optional(holdsUri(z.string())),
  diagnostics: z.optional(z.array(z.unknown())),
});

export const Notification = {
  initialized: "notifications/initialized",
  ideConnected: "ide_connected",
  selectionChanged: "selection_changed",
  atMentioned: "at_mentioned",
  didChangeActiveEditor: "workspace/didChangeActiveEditor",
  diagnosticsChanged: "diagnostics_changed",
  toolsListChanged: "notifications/tools/list_changed",
} as const;

/** What the CLI says when it is ready; JetBrains' document adds whether the editor is too old for it. */
export const IdeConnected = z.object({
  pid: z.nullish(z.number()),
  isPluginVersionUnsupported: z.nullish(z.boolean()),
});
