import { PANEL_HEIGHTS, panelHeight, setPanelHeight } from "./layout.js";
import { TerminalPanel } from "./parts.js";
import { Safe } from "./safe.js";
import { Splitter } from "./splitter.js";

/** The terminals, below the middle. */
export function Panel(props: { readonly onClose: () => void }) {
  return (
    <>
      <Splitter
        label="Height of the terminal"
        orientation="horizontal"
        direction={-1}
        value={panelHeight()}
        {...PANEL_HEIGHTS}
        onChange={setPanelHeight}
        onToggle={() => props.onClose()}
      />
      <section
        class="shell-panel"
        aria-label="Terminal"
        data-region="terminal"
        style={{ height: `${panelHeight()}px` }}
      >
        <Safe what="The terminal">
          <TerminalPanel />
        </Safe>
      </section>
    </>
  );
}
