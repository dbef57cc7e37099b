import type { Problem } from "@lockstep/workbench/contract";
import { For, Show } from "solid-js";
import { showProblem } from "../design/index.js";
import { shownText } from "../design/shown-text.js";
import { openFile } from "../replica/view.js";
import { webAddress } from "../terminal/web-address.js";
import { sourceOf } from "./problem-rows.js";
import { SeverityIcon } from "./severity.js";

/** What is said of a problem: its message, who says it, and the other places that it has to do with. */
export function ProblemCard(props: { readonly problem: Problem }) {
  const link = () => webAddress(props.problem.link ?? "");
  return (
    <div class="problem-card">
      <SeverityIcon severity={props.problem.severity} />
      <div class="problem-text">
        <span class="problem-message">{shownText(props.problem.message)}</span>{" "}
        <Show
          when={link()}
          fallback={<span class="problem-source">{sourceOf(props.problem)}</span>}
        >
          {(href) => (
            <a class="problem-source" href={href()} target="_blank" rel="noopener noreferrer">
              {sourceOf(props.problem)}
            </a>
          )}
        </Show>
        <For each={props.problem.related}>
          {({ at, message }) => (
            <button
              type="button"
              class="problem-related"
              onClick={() => void openFile(at.uri, { range: at.range }).catch(showProblem)}
            >
              <span class="problem-related-place">
                {shownText(at.path)}:{at.range.start.line + 1}
              </span>{" "}
              {shownText(message)}
            </button>
          )}
        </For>
      </div>
    </div>
  );
}
