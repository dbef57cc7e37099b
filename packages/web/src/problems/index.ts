import "./problems.css";

export { ProblemsPanel } from "./problems-panel.js";
