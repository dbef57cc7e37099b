import { type Figures, less, type Metric } from "../figures.js";
import type { ProductName } from "./product.js";

/** In the order of the table. */
export const PAGE_METRICS = {
  firstPaint: less("cold browser to first paint", "ms"),
  treeShown: less("cold browser to tree shown", "ms"),
  firstTyped: less("cold browser to first typed character", "ms"),
  loaded: less("transferred, a file opened and typed into", "KB"),
  typingP50: less("typed character to paint, 1 MB file, p50", "ms"),
  typingP95: less("typed character to paint, 1 MB file, p95", "ms"),
  proposalVisible: less("openDiff of 10 MB to its text visible", "ms"),
  proposalAnswered: less("Accept clicked to answer at the agent, 10 MB", "ms"),
  proposalHunks: less("openDiff of 10 MB to its hunks shown", "ms"),
  editsHunks: less("20,000 lines, 2,000 edits: openDiff to hunks shown", "ms"),
  treeOpened: less("folder of 100,000 files clicked to its files shown", "ms"),
  treeTask: less("longest task while scrolling through 100,000 files", "ms"),
} as const satisfies Record<string, Metric>;

export type PageMetricId = keyof typeof PAGE_METRICS;
export type PageFigures = Figures<ProductName, PageMetricId>;
