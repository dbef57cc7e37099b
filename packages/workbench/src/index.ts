export { WorkbenchError } from "./errors.js";
