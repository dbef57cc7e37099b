export * from "./choose-ide.js";
export * from "./connect.js";
export * from "./errors.js";
export * from "./find-ides.js";
export * from "./ide.js";
