import {
  closeSearchPanel,
  findNext,
  findPrevious,
  replaceAll,
  replaceNext,
  selectMatches,
} from "@codemirror/search";
import { type EditorView, runScopeHandlers } from "@codemirror/view";
import { For, Show } from "solid-js";
import { isMac } from "../../commands.js";
import { Button, IconButton } from "../../design/index.js";
import type { MatchCount } from "./match-count.js";
import type { Query } from "./query.js";
import { replaceShown, setReplaceShown } from "./replace-shown.js";
import { seek } from "./seek.js";

type ToggleName = "caseSensitive" | "wholeWord" | "regexp";

const TOGGLES = [
  { name: "caseSensitive", icon: "match-case", label: "Match case", letter: "C" },
  { name: "wholeWord", icon: "whole-word", label: "Whole word", letter: "B" },
  { name: "regexp", icon: "regex", label: "Regular expression", letter: "R" },
] as const;

interface FindPanelProps {
  readonly view: EditorView;
  readonly query: Query;
  readonly matches: MatchCount;
}

/** One row to find, one to replace. Enter goes on, Shift+Enter back, Escape returns to the text. */
export function FindPanel(props: FindPanelProps) {
  const { view, query, matches } = props;
  const readOnly = () => view.state.readOnly;
  const look = (part: Parameters<Query["set"]>[0]) => {
    query.set(part);
    seek(view);
  };
  const toggle = (name: ToggleName) => look({ [name]: !query.now()[name] });
  const summary = () => {
    const { search, valid } = query.now();
    const { total, current, more } = matches.now();
    if (search === "") return "";
    if (!valid) return "Not a valid expression";
    if (total === 0) return "No results";
    const all = `${total.toLocaleString("en")}${more ? "+" : ""}`;
    return current > 0 ? `${current.toLocaleString("en")} of ${all}` : `${all} found`;
  };
  const onKey = (event: KeyboardEvent) => {
    const own = keyOf(event, toggle, view);
    if (!own && !runScopeHandlers(view, event, "search-panel")) return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <search class="find-rows" aria-label="Find in this file" onKeyDown={onKey}>
      <IconButton
        size="s"
        class="find-expand"
        icon={replaceShown() ? "chevron-down" : "chevron-right"}
        label={replaceShown() ? "Hide replace" : "Show replace"}
        pressed={replaceShown()}
        disabled={readOnly()}
        onClick={() => setReplaceShown(!replaceShown())}
      />
      <div class="find-row">
        <div class="find-field" classList={{ "find-wrong": !isFine(query, matches) }}>
          <input
            main-field=""
            class="find-input"
            type="text"
            placeholder="Find"
            aria-label="Find"
            spellcheck={false}
            autocomplete="off"
            value={query.now().search}
            onInput={(event) => look({ search: event.currentTarget.value })}
          />
          <For each={TOGGLES}>
            {({ name, icon, label, letter }) => (
              <IconButton
                size="s"
                icon={icon}
                label={label}
                keys={isMac ? `⌥${letter}` : `Alt+${letter}`}
                pressed={query.now()[name]}
                onClick={() => toggle(name)}
              />
            )}
          </For>
        </div>
        <output class="find-count">{summary()}</output>
        <IconButton
          size="s"
          icon="arrow-up"
          label="Previous match"
          keys={isMac ? "⇧↩" : "Shift+Enter"}
          onClick={() => findPrevious(view)}
        />
        <IconButton
          size="s"
          icon="arrow-down"
          label="Next match"
          keys={isMac ? "↩" : "Enter"}
          onClick={() => findNext(view)}
        />
        <Button
          size="s"
          kind="quiet"
          data-tip="Put a cursor at every match"
          onClick={() => {
            selectMatches(view);
            view.focus();
          }}
        >
          Select all
        </Button>
        <IconButton
          size="s"
          class="find-close"
          icon="close"
          label="Close"
          keys="Esc"
          onClick={() => closeSearchPanel(view)}
        />
      </div>
      <Show when={replaceShown() && !readOnly()}>
        <div class="find-row find-row-replace">
          <div class="find-field">
            <input
              class="find-input find-replace"
              type="text"
              placeholder="Replace"
              aria-label="Replace"
              spellcheck={false}
              autocomplete="off"
              value={query.now().replace}
              onInput={(event) => query.set({ replace: event.currentTarget.value })}
            />
          </div>
          <Button size="s" onClick={() => replaceNext(view)}>
            Replace
          </Button>
          <Button size="s" onClick={() => replaceAll(view)}>
            Replace all
          </Button>
        </div>
      </Show>
    </search>
  );
}

const isFine = (query: Query, matches: MatchCount): boolean =>
  query.now().search === "" || (query.now().valid && matches.now().total > 0);

/** True if the key was the panel's own. */
function keyOf(
  event: KeyboardEvent,
  toggle: (name: ToggleName) => void,
  view: EditorView,
): boolean {
  const inInput = event.target instanceof HTMLInputElement;
  const inReplace = inInput && event.target.classList.contains("find-replace");
  if (event.key === "Escape") return closeSearchPanel(view);
  if (event.key === "Enter" && inReplace) {
    return event.ctrlKey || event.metaKey ? replaceAll(view) : replaceNext(view);
  }
  if (event.key === "Enter" && inInput) return (event.shiftKey ? findPrevious : findNext)(view);
  if (!event.altKey || event.ctrlKey || event.metaKey) return false;
  const toggled = TOGGLES.find(({ letter }) => event.code === `Key${letter}`);
  if (toggled) toggle(toggled.name);
  return toggled !== undefined;
}
