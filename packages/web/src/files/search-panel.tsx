import "./files.css";
import type { SearchQuery } from "@lockstep/workbench/contract";
import { createSignal, Match, onMount, Show, Switch } from "solid-js";
import {
  Button,
  EmptyState,
  IconButton,
  Progress,
  SidebarHead,
  TextField,
} from "../design/index.js";
import { counts, replaceInAll } from "./replace-actions.js";
import { SearchResults } from "./search-results.js";
import {
  closeAll,
  closed,
  found,
  matchCount,
  query,
  replacement,
  search,
  searchSelection,
  setQuery,
  setReplacement,
  status,
  stop,
} from "./search-state.js";

type Toggle = "caseSensitive" | "wholeWord" | "regex";
const TOGGLES = [
  { name: "caseSensitive", icon: "match-case", label: "Match case" },
  { name: "wholeWord", icon: "whole-word", label: "Whole word" },
  { name: "regex", icon: "regex", label: "Regular expression" },
] as const;

const [replacing, setReplacing] = createSignal(false);
const [filtering, setFiltering] = createSignal(false);

/** Search and replace in all files. */
export function SearchPanel() {
  let field: HTMLInputElement | undefined;
  onMount(() => {
    searchSelection();
    queueMicrotask(() => field?.select());
  });
  const onEnter = (event: KeyboardEvent, act: () => unknown) => {
    if (event.key !== "Enter" || event.isComposing) return;
    event.preventDefault();
    void act();
  };
  const failure = () => {
    const now = status();
    return now.kind === "failed" ? now.why : undefined;
  };
  const isFiltered = () => filtering() || query().include !== "" || query().exclude !== "";
  const filter = (name: "include" | "exclude", label: string, placeholder: string) => (
    <TextField
      label={label}
      bare
      placeholder={placeholder}
      value={query()[name]}
      onInput={(event) => setQuery({ [name]: event.currentTarget.value })}
      onKeyDown={(event) => onEnter(event, search)}
    />
  );
  return (
    <section class="files search" aria-label="Search">
      <SidebarHead title="Search">
        <Show
          when={status().kind === "running"}
          fallback={
            <IconButton
              icon="refresh"
              label="Search again"
              size="s"
              disabled={query().text === ""}
              onClick={() => void search()}
            />
          }
        >
          <IconButton icon="stop" label="Stop the search" size="s" onClick={stop} />
        </Show>
        <IconButton
          icon="replace"
          label="Replace"
          size="s"
          pressed={replacing()}
          onClick={() => setReplacing(!replacing())}
        />
        <IconButton
          icon="filter"
          label="Choose files"
          size="s"
          pressed={isFiltered()}
          onClick={() => setFiltering(!filtering())}
        />
        <IconButton
          icon="collapse"
          label={closed().size > 0 ? "Expand all results" : "Collapse all results"}
          size="s"
          disabled={found().length === 0}
          onClick={() => closeAll(closed().size === 0)}
        />
      </SidebarHead>
      <div class="search-form">
        <div class="search-query">
          <TextField
            ref={field}
            label="Search for"
            bare
            data-region-focus
            placeholder="Search"
            value={query().text}
            problem={failure()}
            onInput={(event) => setQuery({ text: event.currentTarget.value })}
            onKeyDown={(event) => onEnter(event, search)}
          />
          <span class="search-toggles">
            {TOGGLES.map(({ name, icon, label }) => (
              <IconButton
                icon={icon}
                label={label}
                size="s"
                pressed={query()[name]}
                onClick={() => setQuery(flipped(name))}
              />
            ))}
          </span>
        </div>
        <Show when={replacing()}>
          <TextField
            label="Replace by"
            bare
            placeholder={query().regex ? "Replace by ($1 for a group)" : "Replace by"}
            value={replacement()}
            onInput={(event) => setReplacement(event.currentTarget.value)}
            onKeyDown={(event) => onEnter(event, replaceInAll)}
          />
        </Show>
        <Show when={isFiltered()}>
          {filter("include", "Files to search", "Only in, such as src, *.ts")}
          {filter("exclude", "Files to leave out", "Not in, such as test, *.snap")}
        </Show>
      </div>
      <Show when={query().text !== "" && !failure()}>
        <div class="search-status">
          <span role="status">{summary()}</span>
          <Show when={replacing() && found().length > 0}>
            <Button
              size="s"
              disabled={status().kind === "running"}
              onClick={() => void replaceInAll()}
            >
              Replace all
            </Button>
          </Show>
        </div>
      </Show>
      <Show when={status().kind === "running"}>
        <Progress value={null} label="Searching" />
      </Show>
      <Switch>
        <Match when={found().length > 0}>
          <SearchResults replacing={replacing()} />
        </Match>
        <Match when={status().kind === "done"}>
          <div class="files-empty">
            <EmptyState icon="search" title="Nothing found">
              {isFiltered()
                ? "Files that you left out and those that git ignores are not searched."
                : "Files that git ignores are not searched."}
            </EmptyState>
          </div>
        </Match>
        <Match when={status().kind === "idle"}>
          <div class="files-empty">
            <EmptyState icon="search" title="Search in all files">
              Type a text; results show as you type. Files that git ignores are left out.
            </EmptyState>
          </div>
        </Match>
      </Switch>
    </section>
  );
}

function summary(): string {
  const now = status();
  const shown = counts(matchCount(), found().length);
  if (now.kind === "running") return found().length > 0 ? `${shown} so far…` : "Searching…";
  if (now.kind !== "done" || found().length === 0) return "";
  return now.end.cut ? `${shown}; there are more` : shown;
}

function flipped(name: Toggle): Partial<SearchQuery> {
  return { [name]: !query()[name] };
}
