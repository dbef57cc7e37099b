import { createEffect, createMemo, createSignal, on, Show } from "solid-js";
import { type Command, commands, keysLabel, keysOf, runCommand } from "../commands.js";
import { Kbd } from "../design/index.js";
import { Chooser } from "./chooser.js";
import { fuzzyMatch } from "./fuzzy.js";
import { Marked } from "./marked.js";

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
  return (
    <Chooser
      title="Command palette"
      label="Command"
      listLabel="Commands"
      icon="chevron-right"
      placeholder="Type a command"
      query={query()}
      onQuery={setQuery}
      items={found()}
      chosen={chosen()}
      onChoose={setChosen}
      onPoint={setChosen}
      onTake={(item) => run(item?.command)}
      onClose={props.onClose}
      none="No command has these letters."
    >
      {({ command, matched }) => (
        <>
          <span class="chooser-name">
            <Marked text={command.title} matched={matched} />
          </span>
          <Show when={query() === "" && recent.includes(command.id)}>
            <span class="chooser-aside">recent</span>
          </Show>
          <Show when={keysOf(command)[0]}>{(chord) => <Kbd keys={keysLabel(chord())} />}</Show>
        </>
      )}
    </Chooser>
  );
}

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
