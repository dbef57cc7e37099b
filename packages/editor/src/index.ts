export { Changes } from "./changes.js";
export * from "./in-memory-editor.js";
export * from "./language-id.js";
export * from "./own-abilities.js";
export * from "./port.js";
export * from "./text.js";
export * from "./with-abilities.js";
