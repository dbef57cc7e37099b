import type { EditorView } from "@codemirror/view";
import { createEffect, createSignal, onCleanup, Show } from "solid-js";
import { commands, keysLabel, runCommand } from "../commands.js";
import { IconButton } from "../design/index.js";
import { currentSelection } from "./current-selection.js";

const COMMAND = "agents.mentionSelection";

/** Beside a selection, at the right edge where it covers no text: mentions it to the agents. */
export function MentionButton(props: { readonly view: EditorView }) {
  const [top, setTop] = createSignal<number | null>(null);
  const mention = () => {
    const command = commands().find(({ id }) => id === COMMAND);
    return command && (command.when?.() ?? true) ? command : null;
  };
  const place = () =>
    props.view.requestMeasure({
      key: COMMAND,
      read: (view) => {
        const { main } = view.state.selection;
        if (main.empty) return null;
        const at = view.coordsAtPos(main.head);
        const box = view.scrollDOM.getBoundingClientRect();
        if (!at || at.top < box.top || at.bottom > box.bottom) return null;
        return Math.round((at.top + at.bottom) / 2 - view.dom.getBoundingClientRect().top);
      },
      write: (found) => setTop(found),
    });
  createEffect(() => {
    currentSelection();
    place();
  });
  const { scrollDOM } = props.view;
  scrollDOM.addEventListener("scroll", place, { passive: true });
  // Panels and banners move the text.
  const sizes = new ResizeObserver(place);
  sizes.observe(scrollDOM);
  onCleanup(() => {
    scrollDOM.removeEventListener("scroll", place);
    sizes.disconnect();
  });
  const shown = () => (currentSelection()?.empty === false && mention() ? top() : null);
  return (
    <Show when={shown() !== null}>
      <div class="editor-mention" style={{ top: `${shown()}px` }}>
        <IconButton
          size="s"
          icon="mention"
          label="Mention selection to the agents"
          keys={keysLabel(mention()?.keys?.[0] ?? "Alt+KeyK")}
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => runCommand(COMMAND)}
        />
      </div>
    </Show>
  );
}
