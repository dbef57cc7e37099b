import * as z from "zod/mini";
import { type AgentEvents, agentCalls } from "./agents.js";
import { call, type InputOf, type OutputOf } from "./call.js";
import { type DocumentEvents, documentCalls } from "./documents.js";
import { type FileEvents, fileCalls } from "./files.js";
import { languageCalls } from "./languages.js";
import { type NotebookEvents, notebookCalls } from "./notebooks.js";
import { permissionCalls } from "./permissions.js";
import { type ReviewEvents, reviewCalls } from "./reviews.js";
import { settingsCalls } from "./settings.js";
import { id } from "./shapes.js";
import type { Patch } from "./state.js";
import { type TerminalEvents, terminalCalls } from "./terminals.js";
import { type TextEvents, textCalls } from "./texts.js";
import { type TurnEvents, turnCalls } from "./turns.js";
import { type WindowEvents, windowCalls } from "./windows.js";

/**
 * What the page and the workbench say to each other, over one WebSocket as JSON-RPC. A message longer
 * than {@link LARGEST_MESSAGE} travels by HTTP, so that it never stands in the way of a keystroke.
 */
export const calls = {
  ...windowCalls,
  ...documentCalls,
  ...textCalls,
  ...fileCalls,
  ...reviewCalls,
  ...terminalCalls,
  ...agentCalls,
  ...settingsCalls,
  ...permissionCalls,
  ...languageCalls,
  ...notebookCalls,
  ...turnCalls,
  "notice.dismiss": call<void>()(z.object({ id })),
};

export type Calls = typeof calls;
export type CallName = keyof Calls;
export type CallInput<Name extends CallName> = InputOf<Calls[Name]>;
export type CallOutput<Name extends CallName> = OutputOf<Calls[Name]>;

export interface Events
  extends DocumentEvents,
    TextEvents,
    FileEvents,
    ReviewEvents,
    TerminalEvents,
    AgentEvents,
    NotebookEvents,
    TurnEvents,
    WindowEvents {
  "state.patch": Patch;
}
export type EventName = keyof Events;

/** Characters of a message on the socket. A longer result is `{ "$body": id }`, to be had at /body/id. */
export const LARGEST_MESSAGE = 256 * 1024;

export * from "./agents.js";
export * from "./call.js";
export * from "./documents.js";
export * from "./files.js";
export * from "./kernels.js";
export * from "./languages.js";
export * from "./notebooks.js";
export * from "./permissions.js";
export * from "./reviews.js";
export * from "./settings.js";
export * from "./state.js";
export * from "./terminals.js";
export * from "./texts.js";
export * from "./turns.js";
export * from "./windows.js";
