import { createMemo, createSignal, Show } from "solid-js";
import { EmptyState, Icon, IconButton, TextField } from "../design/index.js";
import { folded } from "../files/file-head.js";
import { state } from "../replica/state.js";
import { showPanel } from "../shell/panel-state.js";
import { allProblems } from "./all-problems.js";
import { totalWords } from "./counts.js";
import { choice, filter, isFiltering, setChoice } from "./filter.js";
import { ProblemList } from "./problem-list.js";
import { problemRows } from "./problem-rows.js";

const TOGGLES = [
  { name: "errors", icon: "error", label: "Errors" },
  { name: "warnings", icon: "warning", label: "Warnings" },
  { name: "informations", icon: "info", label: "Infos and hints" },
] as const;

/** What is wrong in all files, by file. */
export function ProblemsPanel() {
  const [closed, setClosed] = createSignal<ReadonlySet<string>>(new Set());
  const rows = createMemo(() => problemRows(allProblems(), filter(), closed()));
  const fold = (uri: string) => setClosed((now) => folded(now, uri));
  const isWorking = () =>
    Object.values(state().languageServers).some(({ status }) => status === "working");
  return (
    <>
      <header class="shell-panel-bar">
        <TextField
          label="Filter problems"
          bare
          icon="filter"
          class="problems-filter"
          placeholder="Filter by text, file, code"
          value={choice().text}
          onInput={(event) => setChoice({ text: event.currentTarget.value })}
        />
        <span class="problems-toggles">
          {TOGGLES.map(({ name, icon, label }) => (
            <button
              type="button"
              class="problems-toggle"
              aria-pressed={choice()[name]}
              aria-label={`${label}: ${totalWords(name)}`}
              data-tip={label}
              onClick={() => setChoice({ [name]: !choice()[name] })}
            >
              <Icon name={icon} class={`problems-${name}`} />
              {totalWords(name)}
            </button>
          ))}
        </span>
        <span class="problems-rest">
          <IconButton
            icon="file"
            label="This file only"
            size="s"
            pressed={choice().here}
            onClick={() => setChoice({ here: !choice().here })}
          />
          <IconButton
            icon="close"
            label="Close the panel"
            size="s"
            onClick={() => showPanel(null)}
          />
        </span>
      </header>
      <div class="shell-panel-body problems">
        <Show
          when={rows().length > 0}
          fallback={
            <div class="problems-none" tabIndex="-1" data-region-focus>
              <Show
                when={isFiltering() && allProblems().length > 0}
                fallback={
                  <EmptyState icon="check" title="No problems">
                    {isWorking()
                      ? "A language server is still looking."
                      : "What language servers find is listed here: in files that are open, and in those that agents ask about or change."}
                  </EmptyState>
                }
              >
                <EmptyState icon="filter" title="Nothing passes the filter">
                  There are problems that it leaves out.
                </EmptyState>
              </Show>
            </div>
          }
        >
          <ProblemList rows={rows()} onFold={fold} />
        </Show>
      </div>
    </>
  );
}
