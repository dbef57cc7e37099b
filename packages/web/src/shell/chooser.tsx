import { createUniqueId, For, type JSX, Show } from "solid-js";
import { chordOf } from "../commands.js";
import { Dialog, Icon, type IconName } from "../design/index.js";

/** Page Up and Page Down go so many rows. */
const PAGE = 10;

interface ChooserProps<Item> {
  /** Of the dialog, the field and the list. */
  readonly title: string;
  readonly label: string;
  readonly listLabel: string;
  readonly icon: IconName;
  readonly placeholder: string;
  readonly query: string;
  readonly onQuery: (text: string) => void;
  readonly items: readonly Item[];
  /** The index of the item that Enter takes. */
  readonly chosen: number;
  readonly onChoose: (index: number) => void;
  /** The pointer is over an item. */
  readonly onPoint?: (index: number) => void;
  readonly onTake: (item: Item | undefined, event: KeyboardEvent | MouseEvent) => void;
  readonly onClose: () => void;
  /** Said where no item is; "" while that is not known. */
  readonly none: string;
  readonly foot?: JSX.Element;
  readonly children: (item: Item) => JSX.Element;
}

/** A field over a list of what has the letters in it, of which one is taken. */
export function Chooser<Item>(props: ChooserProps<Item>) {
  const id = createUniqueId();
  const optionId = (index: number) => `${id}-${index}`;
  const last = () => props.items.length - 1;
  /** Below the last one is the first one again. */
  const go = (index: number) => {
    if (last() < 0) return;
    const to = index > last() ? 0 : index < 0 ? last() : index;
    props.onChoose(to);
    document.getElementById(optionId(to))?.scrollIntoView({ block: "nearest" });
  };
  const onKey = (event: KeyboardEvent) => {
    const chord = chordOf(event);
    if (event.key === "ArrowDown" || chord === "Mod+KeyP") go(props.chosen + 1);
    else if (event.key === "ArrowUp" || chord === "Mod+Shift+KeyP") go(props.chosen - 1);
    else if (event.key === "PageDown") go(Math.min(last(), props.chosen + PAGE));
    else if (event.key === "PageUp") go(Math.max(0, props.chosen - PAGE));
    else if (event.key === "Enter") props.onTake(props.items[props.chosen], event);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title={props.title} bare width="l" onClose={() => props.onClose()}>
      <div class="chooser">
        <div class="chooser-field">
          <Icon name={props.icon} />
          <input
            class="chooser-input"
            type="text"
            role="combobox"
            spellcheck={false}
            autocomplete="off"
            autofocus
            placeholder={props.placeholder}
            aria-label={props.label}
            aria-autocomplete="list"
            aria-expanded="true"
            aria-controls={id}
            aria-activedescendant={last() >= 0 ? optionId(props.chosen) : undefined}
            value={props.query}
            onInput={(event) => props.onQuery(event.currentTarget.value)}
            onKeyDown={onKey}
          />
        </div>
        <div id={id} class="chooser-list" role="listbox" aria-label={props.listLabel}>
          <For each={props.items}>
            {(item, index) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys
              <div
                id={optionId(index())}
                role="option"
                tabIndex="-1"
                class="chooser-item"
                aria-selected={index() === props.chosen}
                onPointerMove={() => props.onPoint?.(index())}
                onClick={(event) => props.onTake(item, event)}
              >
                {props.children(item)}
              </div>
            )}
          </For>
        </div>
        <Show when={props.items.length === 0 && props.none}>
          <p class="chooser-none">{props.none}</p>
        </Show>
        {props.foot}
      </div>
    </Dialog>
  );
}
