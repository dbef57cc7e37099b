export type {
  RequestOptions,
  ToolDescription,
  ToolReplyContent,
  ToolResultReply,
} from "@lockstep/protocol";
export * from "./errors.js";
export * from "./node/choose-ide.js";
export * from "./node/connect.js";
export * from "./node/find-ides.js";
export * from "./node/ide.js";
export * from "./node/probes.js";
export { readLock } from "./node/read-lock.js";
export type { ReconnectOptions } from "./node/reconnect.js";
export * from "./wire/connection.js";
export { type ConversationOptions, converse } from "./wire/conversation.js";
export type { Diagnostic, FileDiagnostics, Severity } from "./wire/diagnostics.js";
export type { DiffAnswer } from "./wire/diff-answer.js";
export {
  type DiagnosticsChange,
  EventHub,
  type Events,
  type Listener,
  type Mention,
} from "./wire/events.js";
export type { OnFault } from "./wire/isolate.js";
export type { Line, Server } from "./wire/line.js";
export type { Selection } from "./wire/selection.js";
export type { Socket, SocketListener } from "./wire/socket.js";
export { TOOL_NAMES, type Tools } from "./wire/tools.js";
export type { Vault, WorkspaceInfo } from "./wire/vault.js";
