export type { Files } from "./core/files.js";
export { SetupError } from "./errors.js";
export type { TraceEvent } from "./faces/claude/connection.js";
export type { KeepaliveTiming } from "./faces/claude/keepalive.js";
export { disk } from "./node/disk.js";
export * from "./serve.js";
export { VERSION } from "./version.js";
