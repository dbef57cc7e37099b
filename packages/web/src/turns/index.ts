import "../review/review.css";
import "./turns.css";

export { TurnView } from "./turn-view.js";
export { TurnsPanel } from "./turns-panel.js";
