/** For what stands between an agent and an editor: the way in, and who is let through it. */
export type { Refusal } from "./faces/claude/admission.js";
export type { Selected } from "./faces/claude/door.js";
export * from "./faces/claude/entrance.js";
