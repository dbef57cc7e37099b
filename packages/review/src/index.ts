export * from "./character-changes.js";
export * from "./clusters.js";
export * from "./diff-ranges.js";
export * from "./edit.js";
export * from "./line-diff.js";
export * from "./rebase.js";
export {
  acceptedText,
  conflicts,
  type Decision,
  decide,
  decideRest,
  type Hunk,
  isShown,
  openReview,
  type Review,
  redo,
  shownText,
  undo,
} from "./review.js";
