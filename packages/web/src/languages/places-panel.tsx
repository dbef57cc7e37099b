import "../problems/problems.css";
import { createEffect, createMemo, createSignal, on, Show } from "solid-js";
import { EmptyState, IconButton, showProblem } from "../design/index.js";
import { folded } from "../files/file-head.js";
import { ListByFile } from "../files/list-by-file.js";
import { openFile } from "../replica/view.js";
import { showPanel } from "../shell/panel-state.js";
import { focusRegion } from "../shell/regions.js";
import { foundPlaces, setFoundPlaces } from "./found-places.js";
import { leave } from "./navigation.js";
import { type PlaceRow, placeRows } from "./place-rows.js";

/** The first place of the first file. */
const FIRST = 1;

/** Places in the code that were asked for: where a name is used, or its several definitions. */
export function PlacesPanel() {
  const [closed, setClosed] = createSignal<ReadonlySet<string>>(new Set());
  const [current, setCurrent] = createSignal(FIRST);
  const rows = createMemo(() => placeRows(foundPlaces()?.places ?? [], closed()));
  createEffect(
    on(foundPlaces, () => {
      setClosed(new Set<string>());
      setCurrent(FIRST);
    }),
  );
  const close = () => {
    setFoundPlaces(null);
    showPanel(null);
    focusRegion("middle");
  };
  return (
    <>
      <header class="shell-panel-bar">
        <span class="places-about">
          <Show when={foundPlaces()?.name}>
            {(name) => (
              <>
                of <code>{name()}</code>
              </>
            )}
          </Show>
        </span>
        <span class="problems-rest">
          <IconButton icon="close" label="Close the list" size="s" onClick={close} />
        </span>
      </header>
      <div class="shell-panel-body places">
        <Show
          when={rows().length > 0}
          fallback={
            <EmptyState icon="search" title="Nothing was looked for yet">
              Ask for references with Shift+F12.
            </EmptyState>
          }
        >
          <ListByFile
            label={foundPlaces()?.title ?? "Places"}
            words={["place", "places"]}
            rows={rows()}
            current={current()}
            onCurrent={setCurrent}
            onFold={({ uri }) => setClosed((now) => folded(now, uri))}
            onOpen={({ place }) => {
              leave();
              openFile(place.uri, { range: place.range }).catch(showProblem);
            }}
            keys={{ Escape: () => focusRegion("middle") }}
          >
            {(row) => <Line row={row()} />}
          </ListByFile>
        </Show>
      </div>
    </>
  );
}

function Line(props: { readonly row: PlaceRow }) {
  return (
    <Show when={props.row.kind === "place" && props.row}>
      {(row) => (
        <>
          <span class="by-file-code">
            {row().pieces[0]}
            <mark class="by-file-match">{row().pieces[1]}</mark>
            {row().pieces[2]}
          </span>
          <span class="by-file-line">{row().place.range.start.line + 1}</span>
        </>
      )}
    </Show>
  );
}
