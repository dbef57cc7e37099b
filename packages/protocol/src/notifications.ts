/** 0-based line, 0-based UTF-16 column. */
export interface WirePosition {
  readonly line: number;
  readonly character: number;
}

/** `selection_changed`. The CLI drops it when text or filePath is null, so neither ever is. */
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

/** `at_mentioned`, 0-based and inclusive. A whole file has no lines: null ones are dropped too. */
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
  toolsListChanged: "notifications/tools/list_changed",
} as const;
