import * as z from "zod/mini";

/** 0-based line, 0-based UTF-16 column. */
export interface WirePosition {
  readonly line: number;
  readonly character: number;
}

/** `selection_changed` as it is sent. The CLI drops it when text or filePath is null. */
export interface SelectionChanged {
  readonly text: string;
  readonly filePath: string;
  readonly fileUrl: string;
  readonly selection: {
    readonly start: WirePosition;
    readonly end: WirePosition;
    readonly isEmpty: boolean;
  };
}

/** `at_mentioned` as it is sent, 0-based and inclusive. A whole file has no lines, not null ones. */
export interface AtMentioned {
  readonly filePath: string;
  readonly lineStart?: number;
  readonly lineEnd?: number;
}

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
