export * from "./expose-editor.js";
export * from "./lines.js";
export * from "./remote-editor.js";
