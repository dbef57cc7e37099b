import "./review.css";

export { ReviewQueue } from "./review-queue.js";
export { ReviewView } from "./review-view.js";
