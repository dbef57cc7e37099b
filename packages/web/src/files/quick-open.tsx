import "./files.css";
import { printable } from "@lockstep/protocol";
import type { FoundFile } from "@lockstep/workbench/contract";
import { createEffect, createSignal, For, on, Show } from "solid-js";
import { chordOf, keysLabel, runCommand } from "../commands.js";
import { Dialog, Icon, Kbd, showProblem } from "../design/index.js";
import { shownView } from "../editor/shown.js";
import { call } from "../replica/link.js";
import { openFile } from "../replica/view.js";

const MOST = 60;

const [isOpen, setOpen] = createSignal(false);
export const showQuickOpen = (): void => void setOpen(true);

/** Mounted once: opens a file by a few letters of its name. */
export function QuickOpen() {
  return (
    <Show when={isOpen()}>
      <Chooser onClose={() => setOpen(false)} />
    </Show>
  );
}

function Chooser(props: { readonly onClose: () => void }) {
  const [query, setQuery] = createSignal("");
  const [files, setFiles] = createSignal<readonly FoundFile[] | null>(null);
  const [chosen, setChosen] = createSignal(0);
  let asked = 0;
  let answered = 0;
  /** Enter was quicker than the answer: what comes first is meant. */
  let wish: { readonly preview: boolean } | null = null;
  createEffect(
    on(query, async (text) => {
      const mine = ++asked;
      try {
        const found = await call("files.find", { query: placeOf(text).name, limit: MOST });
        if (mine !== asked) return;
        answered = mine;
        setFiles(found);
        setChosen(0);
        if (wish) take(found[0], wish.preview);
        wish = null;
      } catch (problem) {
        if (mine === asked) showProblem(problem);
      }
    }),
  );
  /** "@" asks for a name in the shown file instead. */
  const onInput = (text: string) => {
    if (!text.startsWith("@")) return void setQuery(text);
    props.onClose();
    const view = shownView();
    if (view)
      void import("../languages/symbols.js").then((it) => it.showSymbols(view, text.slice(1)));
  };
  const count = () => files()?.length ?? 0;
  const go = (step: number) => {
    if (count() === 0) return;
    setChosen((chosen() + step + count()) % count());
    document.getElementById(optionId(chosen()))?.scrollIntoView({ block: "nearest" });
  };
  const take = (file: FoundFile | undefined, preview: boolean) => {
    if (!file) return;
    const { range } = placeOf(query());
    props.onClose();
    openFile(file.uri, { preview, ...(range ? { range } : {}) })
      .then(() => runCommand("focus.middle"))
      .catch(showProblem);
  };
  /** What is listed may still be the answer to what was typed before. */
  const enter = (preview: boolean) => {
    if (answered === asked) take(files()?.[chosen()], preview);
    else wish = { preview };
  };
  const onKey = (event: KeyboardEvent) => {
    const chord = chordOf(event);
    if (event.key === "ArrowDown" || chord === "Mod+KeyP") go(1);
    else if (event.key === "ArrowUp" || chord === "Mod+Shift+KeyP") go(-1);
    else if (event.key === "PageDown") go(Math.min(10, count() - 1 - chosen()));
    else if (event.key === "PageUp") go(-Math.min(10, chosen()));
    else if (event.key === "Enter") enter(!chord.startsWith("Mod+"));
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title="Go to file" bare width="l" onClose={() => props.onClose()}>
      <div class="shell-palette">
        <div class="shell-palette-field">
          <Icon name="search" />
          <input
            class="shell-palette-input"
            type="text"
            role="combobox"
            spellcheck={false}
            autocomplete="off"
            autofocus
            placeholder="Go to file; add :12 for a line, or type @ for a name in this file"
            aria-label="File"
            aria-autocomplete="list"
            aria-expanded="true"
            aria-controls="quick-list"
            aria-activedescendant={count() > 0 ? optionId(chosen()) : undefined}
            onInput={(event) => onInput(event.currentTarget.value)}
            onKeyDown={onKey}
          />
        </div>
        <div id="quick-list" class="shell-palette-list" role="listbox" aria-label="Files">
          <For each={files()}>
            {(file, index) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys
              <div
                id={optionId(index())}
                role="option"
                tabIndex="-1"
                class="shell-palette-item quick-item"
                aria-selected={index() === chosen()}
                onPointerMove={() => setChosen(index())}
                onClick={(event) => take(file, !(event.ctrlKey || event.metaKey))}
              >
                <Icon name="file" class="files-icon" />
                <Path path={printable(file.path)} matched={file.matched} />
              </div>
            )}
          </For>
        </div>
        <Show when={files()?.length === 0}>
          <p class="shell-palette-none">No file has these letters in its path.</p>
        </Show>
        <footer class="quick-foot" aria-hidden="true">
          <span>
            <Kbd keys="Enter" /> open
          </span>
          <span>
            <Kbd keys={keysLabel("Mod+Enter")} /> open and keep
          </span>
        </footer>
      </div>
    </Dialog>
  );
}

/** The name first, then where it is; both with the letters that were matched. */
function Path(props: { readonly path: string; readonly matched: readonly number[] }) {
  const base = () => props.path.lastIndexOf("/") + 1;
  return (
    <>
      <span class="quick-name">
        <Letters text={props.path.slice(base())} from={base()} matched={props.matched} />
      </span>
      <span class="quick-place">
        <Letters
          text={props.path.slice(0, Math.max(0, base() - 1))}
          from={0}
          matched={props.matched}
        />
      </span>
    </>
  );
}

function Letters(props: {
  readonly text: string;
  readonly from: number;
  readonly matched: readonly number[];
}) {
  const runs = () => {
    const marks = new Set(props.matched);
    const found: { text: string; isMatch: boolean }[] = [];
    for (let at = 0; at < props.text.length; at++) {
      const isMatch = marks.has(props.from + at);
      const last = found.at(-1);
      if (last && last.isMatch === isMatch) last.text += props.text[at];
      else found.push({ text: props.text[at] ?? "", isMatch });
    }
    return found;
  };
  return (
    <For each={runs()}>
      {({ text, isMatch }) => (isMatch ? <mark class="shell-match">{text}</mark> : text)}
    </For>
  );
}

const optionId = (index: number) => `quick-${index}`;

/** "src/a.ts:12:5" names a place in the file too, counted from 1 as editors show it. */
function placeOf(text: string) {
  const [, name = text, line, column = "1"] = /^(.*?):(\d+)(?::(\d+))?:?$/.exec(text) ?? [];
  if (line === undefined) return { name, range: null };
  const start = {
    line: Math.max(0, Number(line) - 1),
    character: Math.max(0, Number(column) - 1),
  };
  return { name, range: { start, end: start } };
}
