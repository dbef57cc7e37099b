import "./status.css";
import "./language-commands.js";

export { LanguageLayer } from "./language-layer.js";
export { LanguageStatus } from "./language-status.js";
export { ProblemStatus } from "./problem-status.js";
