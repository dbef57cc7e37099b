import type { Problem } from "@lockstep/workbench/contract";
import { Icon, type IconName } from "../design/index.js";

const ICONS: Readonly<Record<Problem["severity"], IconName>> = {
  error: "error",
  warning: "warning",
  information: "info",
  hint: "info",
};
const WORDS: Readonly<Record<Problem["severity"], string>> = {
  error: "Error",
  warning: "Warning",
  information: "Information",
  hint: "Hint",
};

/** The sign of a severity, with its word for those who do not see it. */
export function SeverityIcon(props: { readonly severity: Problem["severity"] }) {
  return (
    <span class={`problem-icon problem-icon-${props.severity}`}>
      <Icon name={ICONS[props.severity]} />
      <span class="unseen">{WORDS[props.severity]}: </span>
    </span>
  );
}
