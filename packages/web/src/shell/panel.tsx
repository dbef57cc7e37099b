import { For, Match, Show, Switch } from "solid-js";
import { commands, keysLabel } from "../commands.js";
import { Badge } from "../design/index.js";
import { foundPlaces } from "../languages/found-places.js";
import { totalCounts } from "../problems/counts.js";
import { PANEL_HEIGHTS, panelHeight, setPanelHeight } from "./layout.js";
import { type PanelName, shownPanel, showPanel } from "./panel-state.js";
import { PlacesPanel, ProblemsPanel, TerminalPanel } from "./parts.js";
import { Safe } from "./safe.js";
import { Splitter } from "./splitter.js";

interface PanelTab {
  readonly name: PanelName;
  readonly label: string;
  readonly count: number | null;
  /** The command whose keys lead there. */
  readonly command: string;
}

/** Below the middle: the terminals, the problems, and what was looked for in the code. */
export function Panel(props: { readonly onClose: () => void }) {
  const tabs = (): readonly PanelTab[] => {
    const { errors, warnings } = totalCounts();
    const places = foundPlaces();
    const shown: PanelTab[] = [
      { name: "terminal", label: "Terminal", count: null, command: "terminal.toggle" },
      { name: "problems", label: "Problems", count: errors + warnings, command: "view.problems" },
    ];
    if (places) {
      const count = places.places.length;
      shown.push({ name: "places", label: places.title, count, command: "language.references" });
    }
    return shown;
  };
  const label = () => tabs().find(({ name }) => name === shownPanel())?.label ?? "Panel";
  return (
    <>
      <Splitter
        label="Height of the panel"
        orientation="horizontal"
        direction={-1}
        value={panelHeight()}
        {...PANEL_HEIGHTS}
        onChange={setPanelHeight}
        onToggle={() => props.onClose()}
      />
      <section
        class="shell-panel"
        aria-label={label()}
        data-region="panel"
        style={{ height: `${panelHeight()}px` }}
      >
        <Tabs tabs={tabs()} />
        <Safe what="The panel">
          <Switch>
            <Match when={shownPanel() === "terminal"}>
              <TerminalPanel />
            </Match>
            <Match when={shownPanel() === "problems"}>
              <ProblemsPanel />
            </Match>
            <Match when={shownPanel() === "places"}>
              <PlacesPanel />
            </Match>
          </Switch>
        </Safe>
      </section>
    </>
  );
}

const tabId = (name: PanelName) => `panel-tab-${name}`;

function Tabs(props: { readonly tabs: readonly PanelTab[] }) {
  const keysOf = (id: string) => {
    const chord = commands().find((command) => command.id === id)?.keys?.[0];
    return chord && keysLabel(chord);
  };
  const names = () => props.tabs.map(({ name }) => name);
  const onKey = (event: KeyboardEvent) => {
    const all = names();
    const now = all.indexOf(shownPanel() ?? "terminal");
    const steps: Readonly<Record<string, PanelName | undefined>> = {
      ArrowLeft: all.at(now - 1),
      ArrowRight: all[(now + 1) % all.length],
      Home: all[0],
      End: all.at(-1),
    };
    const next = steps[event.key];
    if (!next) return;
    event.preventDefault();
    showPanel(next);
    document.getElementById(tabId(next))?.focus();
  };
  return (
    <div class="shell-panel-tabs" role="tablist" aria-label="Panel">
      <For each={names()}>
        {(name) => (
          <Show when={props.tabs.find((tab) => tab.name === name)}>
            {(tab) => (
              <button
                type="button"
                id={tabId(name)}
                role="tab"
                class="shell-panel-tab"
                aria-selected={shownPanel() === name}
                tabIndex={shownPanel() === name ? 0 : -1}
                data-tip={tab().label}
                data-tip-keys={keysOf(tab().command)}
                onClick={() => showPanel(name)}
                onKeyDown={onKey}
              >
                {tab().label}
                <Show when={tab().count}>
                  {(count) => <Badge>{count().toLocaleString("en")}</Badge>}
                </Show>
              </button>
            )}
          </Show>
        )}
      </For>
    </div>
  );
}
