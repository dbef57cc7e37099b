import type { Verdict } from "../verdict.js";
import type { PageFigures, PageMetricId } from "./metrics.js";
import { PAGE_METRICS } from "./metrics.js";
import type { ProposalsMeasured } from "./proposals.js";

/** How much of code-server's time is ours. */
const SHARE = 0.2;

export function judgePage(
  figures: PageFigures,
  proposals: readonly ProposalsMeasured[],
): readonly Verdict[] {
  const atMost = (promise: string, metric: PageMetricId, limit: number): Verdict => {
    const { unit } = PAGE_METRICS[metric];
    const best = figures.best("lockstep", metric) ?? Number.NaN;
    return {
      promise: `${promise} ≤ ${limit} ${unit}`,
      found: `${best.toFixed(best < 100 ? 1 : 0)} ${unit}`,
      kept: best <= limit,
    };
  };
  return [
    atMost("page at first load, a file opened and typed into", "loaded", 600),
    atMost("typed character to paint p95, 1 MB file", "typingP95", 16),
    atMost("10 MB proposal's text visible", "proposalVisible", 1_000),
    progress(proposals),
    atMost("10 MB proposal accepted, click to answer", "proposalAnswered", 300),
    atMost("20,000 lines with 2,000 edits: hunks", "editsHunks", 1_500),
    atMost("scrolling through 100,000 files: longest task", "treeTask", 50),
    ...shares(figures),
  ];
}

/** Whether Accept waits for hunks is only told: they are often there when a click first counts. */
function progress(proposals: readonly ProposalsMeasured[]): Verdict {
  const told = proposals.some(({ progressSeen }) => progressSeen);
  const usable = proposals.some(({ acceptedWithoutHunks }) => acceptedWithoutHunks);
  return {
    promise: "10 MB proposal: progress while its hunks are computed",
    found: `${told ? "shown" : "not shown"}; Accept was ${usable ? "" : "not "}tried before there were hunks`,
    kept: told,
  };
}

/** Nothing where code-server was not measured. */
function shares(figures: PageFigures): readonly Verdict[] {
  const compared: readonly PageMetricId[] = ["firstPaint", "treeShown", "firstTyped"];
  return compared.flatMap((metric) => {
    const share = figures.ratio("lockstep", metric);
    if (share === undefined) return [];
    return {
      promise: `${PAGE_METRICS[metric].label} ≤ ${SHARE} × code-server`,
      found: `${share.toFixed(2)} × code-server`,
      kept: share <= SHARE,
    };
  });
}
