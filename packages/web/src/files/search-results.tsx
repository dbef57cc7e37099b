import { createEffect, createMemo, createSignal, For, on, Show } from "solid-js";
import { keysLabel } from "../commands.js";
import { IconButton, showProblem } from "../design/index.js";
import { openFile } from "../replica/view.js";
import { ListByFile } from "./list-by-file.js";
import { replaceInOne } from "./replace-actions.js";
import { type FoundLine, piecesOf, type SearchRow, searchRows } from "./search-rows.js";
import { closed, dismiss, found, query, replacement, toggleClosed } from "./search-state.js";

/** What was found, by file; a file can be left out, or replaced in alone. */
export function SearchResults(props: { readonly replacing: boolean }) {
  const [current, setCurrent] = createSignal(-1);
  const rows = createMemo(() => searchRows(found(), closed()));
  createEffect(on(query, () => setCurrent(-1), { defer: true }));
  return (
    <ListByFile
      label="Search results"
      words={["match", "matches"]}
      rows={rows()}
      current={current()}
      onCurrent={setCurrent}
      onFold={({ uri }) => toggleClosed(uri)}
      onOpen={(line, preview) => void open(line, preview).catch(showProblem)}
      keys={{
        Delete: ({ file }) => dismiss(file.uri),
        "Mod+Enter": ({ file }) => props.replacing && void replaceInOne(file),
      }}
    >
      {(row) => <Row row={row()} replacing={props.replacing} />}
    </ListByFile>
  );
}

function Row(props: { readonly row: SearchRow; readonly replacing: boolean }) {
  const file = () => (props.row.kind === "file" ? props.row : null);
  const line = () => (props.row.kind === "line" ? props.row : null);
  return (
    <>
      <Show when={file()}>
        {(head) => (
          // For the pointer; Delete and Mod+Enter do the same.
          <span class="by-file-tools" aria-hidden="true">
            <Show when={props.replacing}>
              <IconButton
                icon="replace"
                label={`Replace in ${head().name}`}
                keys={keysLabel("Mod+Enter")}
                size="s"
                tabIndex="-1"
                onClick={() => void replaceInOne(head().file)}
              />
            </Show>
            <IconButton
              icon="close"
              label={`Leave out ${head().name}`}
              keys="Delete"
              size="s"
              tabIndex="-1"
              onClick={() => dismiss(head().file.uri)}
            />
          </span>
        )}
      </Show>
      <Show when={line()}>
        {(found) => (
          <>
            <span class="by-file-code">
              <For each={piecesOf(found().line)}>
                {({ text, isMatch }) => (
                  <Show when={isMatch} fallback={text}>
                    <Show
                      when={props.replacing && !query().regex && replacement() !== ""}
                      fallback={<mark class="by-file-match">{text}</mark>}
                    >
                      <del class="search-old">{text}</del>
                      <ins class="search-new">{replacement()}</ins>
                    </Show>
                  </Show>
                )}
              </For>
            </span>
            <span class="by-file-line">{found().line.line + 1}</span>
          </>
        )}
      </Show>
    </>
  );
}

function open(row: FoundLine, preview: boolean): Promise<void> {
  const { line, offset = 0, matches } = row.line;
  const [match] = matches;
  const start = { line, character: offset + (match?.from ?? 0) };
  const end = { line, character: offset + (match?.to ?? 0) };
  return openFile(row.file.uri, { preview, range: { start, end } });
}
