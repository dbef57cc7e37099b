import { printable } from "@lockstep/protocol";
import { Match, Show, Switch } from "solid-js";
import { Icon } from "../design/index.js";
import { markAt } from "../problems/counts.js";
import { markWords } from "../problems/marks.js";
import { GIT_WORDS } from "./git-words.js";
import { NameField } from "./name-field.js";
import type { TreeRow } from "./tree-rows.js";

type EntryRow = Extract<TreeRow, { kind: "entry" }>;

export interface TreeRowProps {
  readonly row: TreeRow;
  readonly index: number;
  readonly top: number;
  readonly isCurrent: boolean;
  readonly isActive: boolean;
  readonly isExpanded: boolean;
  readonly isNaming: boolean;
  readonly onName: (name: string) => Promise<void>;
  readonly onCancel: () => void;
}

export const rowId = (index: number): string => `files-row-${index}`;

/** One line of the tree. Its clicks are heard by the tree. */
export function TreeRowView(props: TreeRowProps) {
  const entry = () => (props.row.kind === "entry" ? props.row : null);
  const note = () => (props.row.kind === "note" ? props.row : null);
  const fresh = () => (props.row.kind === "new" ? props.row : null);
  return (
    <Switch>
      <Match when={entry()}>
        {(row) => (
          // Not spread: these are read for each row of each frame while scrolling.
          <Entry
            row={row()}
            index={props.index}
            top={props.top}
            isCurrent={props.isCurrent}
            isActive={props.isActive}
            isExpanded={props.isExpanded}
            isNaming={props.isNaming}
            onName={props.onName}
            onCancel={props.onCancel}
          />
        )}
      </Match>
      <Match when={note()}>
        {(row) => (
          <div
            class="files-row files-row-note"
            role="treeitem"
            aria-disabled="true"
            aria-level={row().depth + 1}
            tabIndex="-1"
            style={{ transform: `translateY(${props.top}px)`, "--depth": row().depth }}
            title={row().text}
          >
            {row().text}
          </div>
        )}
      </Match>
      <Match when={fresh()}>
        {(row) => (
          <div
            class="files-row files-row-naming"
            role="treeitem"
            aria-level={row().depth + 1}
            tabIndex="-1"
            style={{ transform: `translateY(${props.top}px)`, "--depth": row().depth }}
          >
            <span class="files-chevron" />
            <Icon name={row().naming.what === "folder" ? "folder" : "file"} class="files-icon" />
            <NameField
              label={
                row().naming.what === "folder" ? "Name of the new folder" : "Name of the new file"
              }
              value=""
              onDone={props.onName}
              onCancel={props.onCancel}
            />
          </div>
        )}
      </Match>
    </Switch>
  );
}

function Entry(props: TreeRowProps & { readonly row: EntryRow }) {
  const row = () => props.row;
  const entry = () => row().entry;
  const isFolder = () => entry().kind === "folder";
  const git = () => {
    const state = entry().git;
    return state ? GIT_WORDS[state] : null;
  };
  const problems = () => markAt(row().path);
  const problemWords = () => {
    const mark = problems();
    return mark && markWords(mark);
  };
  /** For those who do not see the colours and signs. */
  const more = () =>
    [
      git() && (isFolder() ? `has ${git()?.word} files` : git()?.word),
      row().ignored && "ignored",
      entry().link && "link",
      problemWords(),
    ].filter(Boolean);
  return (
    <div
      id={rowId(props.index)}
      class="files-row"
      classList={{
        "files-row-current": props.isCurrent,
        "files-row-active": props.isActive,
        "files-row-ignored": row().ignored,
        "files-row-naming": props.isNaming,
      }}
      role="treeitem"
      tabIndex="-1"
      data-index={props.index}
      data-git={entry().git}
      data-problems={problems()?.severity}
      aria-level={row().depth + 1}
      aria-setsize={row().siblings}
      aria-posinset={row().position}
      aria-expanded={isFolder() ? props.isExpanded : undefined}
      aria-selected={props.isCurrent}
      style={{ transform: `translateY(${props.top}px)`, "--depth": row().depth }}
    >
      <span class="files-chevron">
        <Show when={isFolder()}>
          <Icon name={props.isExpanded ? "chevron-down" : "chevron-right"} />
        </Show>
      </span>
      <Icon
        name={isFolder() ? (props.isExpanded ? "folder-open" : "folder") : "file"}
        class="files-icon"
      />
      <Show
        when={props.isNaming}
        fallback={
          <>
            <span class="files-name">{printable(entry().name)}</span>
            <Show when={more().length > 0}>
              <span class="unseen">{more().join(", ")}</span>
            </Show>
            <Show when={entry().link}>
              <Icon name="link" class="files-link" />
            </Show>
            <Show when={isFolder() ? null : problems()}>
              {(mark) => (
                <span class="files-problems" title={markWords(mark())} aria-hidden="true">
                  {mark().count > 99 ? "99+" : mark().count}
                </span>
              )}
            </Show>
            <Show when={git()}>
              {(words) => (
                <span class="files-letter" title={words().word} aria-hidden="true">
                  {isFolder() ? "•" : words().letter}
                </span>
              )}
            </Show>
          </>
        }
      >
        <NameField
          label={`New name of ${printable(entry().name)}`}
          value={entry().name}
          onDone={props.onName}
          onCancel={props.onCancel}
        />
      </Show>
    </div>
  );
}
