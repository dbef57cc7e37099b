import type { ShownRun } from "@lockstep/workbench/contract";
import { For, Show } from "solid-js";
import { Icon } from "../design/index.js";
import { shownText } from "../design/shown-text.js";
import { OutputText } from "./output-text.js";
import { Outputs } from "./outputs.js";

const STATUS: Readonly<Record<ShownRun["status"], string>> = {
  waiting: "is waiting to run",
  running: "is running",
  ok: "ran",
  error: "ran, with an error",
  stopped: "ran, and was stopped",
};

/** What agents ran in this notebook's kernel, with its results; none of it is in the file. */
export function AgentRuns(props: { readonly runs: readonly ShownRun[] }) {
  return (
    <Show when={props.runs.length > 0}>
      <section class="nb-agents" aria-labelledby="nb-agents-title">
        <h2 id="nb-agents-title" class="nb-agents-title">
          <Icon name="agent" />
          Run by agents in this kernel
          <span class="nb-note">Not a part of the file</span>
        </h2>
        <ul>
          <For each={props.runs}>
            {(run) => (
              <li class="nb-agent-run">
                <p class="nb-agent-head">
                  <strong>{shownText(run.agent)}</strong> {STATUS[run.status]}
                  <time datetime={new Date(run.since).toISOString()}>
                    {new Date(run.since).toLocaleTimeString()}
                  </time>
                </p>
                <div class="nb-agent-code">
                  <OutputText text={shownText(run.code)} />
                </div>
                <Outputs outputs={run.outputs} />
              </li>
            )}
          </For>
        </ul>
      </section>
    </Show>
  );
}
