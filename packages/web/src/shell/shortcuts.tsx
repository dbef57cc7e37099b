import { createMemo, createSignal, For, Show } from "solid-js";
import { type Command, commands, keysLabel, keysOf } from "../commands.js";
import { Dialog, Kbd, TextField } from "../design/index.js";
import { fuzzyMatch } from "./fuzzy.js";

const [open, setOpen] = createSignal(false);
export const showShortcuts = () => setOpen(true);

/** Mounted once: all commands with their keys, by group. */
export function ShortcutsLayer() {
  return (
    <Show when={open()}>
      <Shortcuts />
    </Show>
  );
}

function Shortcuts() {
  const [query, setQuery] = createSignal("");
  const groups = createMemo(() => {
    const hits = commands().filter(({ title }) => fuzzyMatch(query(), title));
    const byGroup = grouped(hits);
    return [...byGroup].sort(([a], [b]) => a.localeCompare(b));
  });
  return (
    <Dialog title="Keyboard shortcuts" width="l" onClose={() => setOpen(false)}>
      <TextField
        label="Find a command"
        bare
        icon="search"
        placeholder="Find a command"
        autofocus
        onInput={(event) => setQuery(event.currentTarget.value)}
      />
      <For each={groups()}>
        {([group, members]) => (
          <section class="shell-keys" aria-label={group}>
            <h3 class="shell-keys-group">{group}</h3>
            <ul>
              <For each={members}>
                {(command) => (
                  <li class="shell-keys-row">
                    <span>{command.title.replace(/^[^:]+: /, "")}</span>
                    <span class="shell-keys-chords">
                      <For
                        each={keysOf(command)}
                        fallback={<span class="shell-keys-none">palette</span>}
                      >
                        {(chord) => <Kbd keys={keysLabel(chord)} />}
                      </For>
                    </span>
                  </li>
                )}
              </For>
            </ul>
          </section>
        )}
      </For>
    </Dialog>
  );
}

const groupOf = ({ title }: Command): string => /^([^:]+): /.exec(title)?.[1] ?? "General";

function grouped(all: readonly Command[]): Map<string, Command[]> {
  const groups = new Map<string, Command[]>();
  for (const command of all) {
    const group = groupOf(command);
    groups.set(group, [...(groups.get(group) ?? []), command]);
  }
  return groups;
}
