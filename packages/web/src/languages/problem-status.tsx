import { commands, keysLabel, runCommand } from "../commands.js";
import { Icon } from "../design/index.js";
import { totalCounts, totalWords } from "../problems/counts.js";

/** How many errors and warnings there are; leads to the list. */
export function ProblemStatus() {
  const keys = () => {
    const chord = commands().find(({ id }) => id === "view.problems")?.keys?.[0];
    return chord && keysLabel(chord);
  };
  return (
    <button
      type="button"
      class="shell-status-item problem-status"
      data-tip="Problems"
      data-tip-keys={keys()}
      data-errors={totalCounts().errors > 0}
      data-warnings={totalCounts().warnings > 0}
      onClick={() => runCommand("view.problems")}
    >
      <Icon name="error" class="problem-status-error" />
      {totalWords("errors")}
      <span class="unseen">{totalCounts().errors === 1 ? " error, " : " errors, "}</span>
      <Icon name="warning" class="problem-status-warning" />
      {totalWords("warnings")}
      <span class="unseen">{totalCounts().warnings === 1 ? " warning" : " warnings"}</span>
    </button>
  );
}
