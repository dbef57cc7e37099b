import { createEffect, createMemo, createSignal, For, on, Show } from "solid-js";
import { type Command, commands, keysLabel, runCommand } from "../commands.js";
import { Dialog, Icon, Kbd } from "../design/index.js";
import { fuzzyMatch } from "./fuzzy.js";

const RECENT_KEY = "lockstep.recent-commands";
const RECENT_MOST = 8;

const [open, setOpen] = createSignal(false);
export const showPalette = () => setOpen(true);

interface Found {
  readonly command: Command;
  readonly matched: readonly number[];
}

/** Mounted once. */
export function PaletteLayer() {
  return (
    <Show when={open()}>
      <Palette onClose={() => setOpen(false)} />
    </Show>
  );
}

function Palette(props: { readonly onClose: () => void }) {
  const [query, setQuery] = createSignal("");
  const [chosen, setChosen] = createSignal(0);
  const recent = readRecent();
  const found = createMemo(() => find(query(), recent));
  createEffect(on(found, () => setChosen(0), { defer: true }));

  const run = (command: Command | undefined) => {
    if (!command) return;
    props.onClose();
    remember(command.id);
    // After the dialog has given the focus back, so that the command acts where the person was.
    queueMicrotask(() => runCommand(command.id));
  };
  const onKey = (event: KeyboardEvent) => {
    const count = found().length;
    if (event.key === "ArrowDown") move((chosen() + 1) % count);
    else if (event.key === "ArrowUp") move((chosen() - 1 + count) % count);
    else if (event.key === "Enter") run(found()[chosen()]?.command);
    else return;
    event.preventDefault();
  };
  const move = (to: number) => {
    setChosen(to || 0);
    document.getElementById(optionId(to))?.scrollIntoView({ block: "nearest" });
  };
  return (
    <Dialog title="Command palette" bare width="l" onClose={() => props.onClose()}>
      <div class="shell-palette">
        <div class="shell-palette-field">
          <Icon name="chevron-right" />
          <input
            class="shell-palette-input"
            type="text"
            role="combobox"
            spellcheck={false}
            autocomplete="off"
            autofocus
            placeholder="Type a command"
            aria-label="Command"
            aria-expanded="true"
            aria-controls="palette-list"
            aria-activedescendant={found().length > 0 ? optionId(chosen()) : undefined}
            onInput={(event) => setQuery(event.currentTarget.value)}
            onKeyDown={onKey}
          />
        </div>
        <div id="palette-list" class="shell-palette-list" role="listbox" aria-label="Commands">
          <For each={found()}>
            {({ command, matched }, index) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys
              <div
                id={optionId(index())}
                role="option"
                tabIndex="-1"
                class="shell-palette-item"
                aria-selected={index() === chosen()}
                onPointerMove={() => setChosen(index())}
                onClick={() => run(command)}
              >
                <span class="shell-palette-name">
                  <Marked text={command.title} matched={matched} />
                </span>
                <Show when={query() === "" && recent.includes(command.id)}>
                  <span class="shell-palette-aside">recent</span>
                </Show>
                <Show when={command.keys?.[0]}>{(chord) => <Kbd keys={keysLabel(chord())} />}</Show>
              </div>
            )}
          </For>
        </div>
        <Show when={found().length === 0}>
          <p class="shell-palette-none">No command has these letters.</p>
        </Show>
      </div>
    </Dialog>
  );
}

/** A text with the letters that were matched. */
export function Marked(props: { readonly text: string; readonly matched: readonly number[] }) {
  const marks = () => new Set(props.matched);
  return (
    <For each={[...props.text]}>
      {(letter, index) =>
        marks().has(index()) ? <mark class="shell-match">{letter}</mark> : letter
      }
    </For>
  );
}

const optionId = (index: number) => `palette-${index}`;

function find(query: string, recent: readonly string[]): readonly Found[] {
  const usable = commands().filter(({ when, id }) => id !== "palette.show" && (when?.() ?? true));
  const rank = ({ id }: Command) => (recent.includes(id) ? recent.indexOf(id) : RECENT_MOST);
  return usable
    .flatMap((command) => {
      const match = fuzzyMatch(query, command.title);
      return match ? [{ command, ...match }] : [];
    })
    .sort(
      (a, b) =>
        b.score - a.score ||
        rank(a.command) - rank(b.command) ||
        a.command.title.localeCompare(b.command.title),
    );
}

function readRecent(): readonly string[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(RECENT_KEY) ?? "[]");
    return Array.isArray(found) ? found.filter((id) => typeof id === "string") : [];
  } catch {
    return [];
  }
}

function remember(id: string): void {
  const next = [id, ...readRecent().filter((other) => other !== id)].slice(0, RECENT_MOST);
  localStorage.setItem(RECENT_KEY, JSON.stringify(next));
}
