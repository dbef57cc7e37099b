import { commands, keysLabel, runCommand } from "../commands.js";
import { Icon } from "../design/index.js";
import { totalCounts } from "../problems/counts.js";

/** How many errors and warnings there are; leads to the list. */
export function ProblemStatus() {
  const keys = () => {
    const chord = commands().find(({ id }) => id === "view.problems")?.keys?.[0];
    return chord && keysLabel(chord);
  };
  const words = () => {
    const { errors, warnings } = totalCounts();
    const many = (count: number, word: string) => `${count} ${word}${count === 1 ? "" : "s"}`;
    return `${many(errors, "error")}, ${many(warnings, "warning")}`;
  };
  return (
    <button
      type="button"
      class="shell-status-item problem-status"
      aria-label={`Problems: ${words()}`}
      data-tip={words()}
      data-tip-keys={keys()}
      data-errors={totalCounts().errors > 0}
      data-warnings={totalCounts().warnings > 0}
      onClick={() => runCommand("view.problems")}
    >
      <Icon name="error" class="problem-status-error" />
      {totalCounts().errors.toLocaleString("en")}
      <Icon name="warning" class="problem-status-warning" />
      {totalCounts().warnings.toLocaleString("en")}
    </button>
  );
}
