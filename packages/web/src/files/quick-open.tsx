import "./files.css";
import { printable } from "@lockstep/protocol";
import type { FoundFile } from "@lockstep/workbench/contract";
import { createEffect, createSignal, on, Show } from "solid-js";
import { keysLabel, runCommand } from "../commands.js";
import { Icon, Kbd, showProblem } from "../design/index.js";
import { shownView } from "../editor/shown.js";
import { call } from "../replica/link.js";
import { openFile } from "../replica/view.js";
import { Chooser } from "../shell/chooser.js";
import { Marked } from "../shell/marked.js";

const MOST = 60;

const [isOpen, setOpen] = createSignal(false);
export const showQuickOpen = (): void => void setOpen(true);

/** Mounted once: opens a file by a few letters of its name. */
export function QuickOpen() {
  return (
    <Show when={isOpen()}>
      <FileChooser onClose={() => setOpen(false)} />
    </Show>
  );
}

function FileChooser(props: { readonly onClose: () => void }) {
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
  const onQuery = (text: string) => {
    if (!text.startsWith("@")) return void setQuery(text);
    props.onClose();
    const view = shownView();
    if (view)
      void import("../languages/symbols.js").then((it) => it.showSymbols(view, text.slice(1)));
  };
  const take = (file: FoundFile | undefined, preview: boolean) => {
    if (!file) return;
    const { range } = placeOf(query());
    props.onClose();
    openFile(file.uri, { preview, ...(range ? { range } : {}) })
      .then(() => runCommand("focus.middle"))
      .catch(showProblem);
  };
  const onTake = (file: FoundFile | undefined, event: KeyboardEvent | MouseEvent) => {
    const preview = !(event.ctrlKey || event.metaKey);
    // What is listed may still be the answer to what was typed before.
    if (event instanceof KeyboardEvent && answered !== asked) wish = { preview };
    else take(file, preview);
  };
  return (
    <Chooser
      title="Go to file"
      label="File"
      listLabel="Files"
      icon="search"
      placeholder="Go to file; add :12 for a line, or type @ for a name in this file"
      query={query()}
      onQuery={onQuery}
      items={files() ?? []}
      chosen={chosen()}
      onChoose={setChosen}
      onPoint={setChosen}
      onTake={onTake}
      onClose={props.onClose}
      none={files() ? "No file has these letters in its path." : ""}
      foot={
        <footer class="quick-foot" aria-hidden="true">
          <span>
            <Kbd keys="Enter" /> open
          </span>
          <span>
            <Kbd keys={keysLabel("Mod+Enter")} /> open and keep
          </span>
        </footer>
      }
    >
      {(file) => (
        <>
          <Icon name="file" class="files-icon" />
          <Path path={printable(file.path)} matched={file.matched} />
        </>
      )}
    </Chooser>
  );
}

/** The name first, then where it is; both with the letters that were matched. */
function Path(props: { readonly path: string; readonly matched: readonly number[] }) {
  const base = () => props.path.lastIndexOf("/") + 1;
  return (
    <>
      <span class="quick-name">
        <Marked text={props.path.slice(base())} from={base()} matched={props.matched} />
      </span>
      <span class="quick-place">
        <Marked text={props.path.slice(0, Math.max(0, base() - 1))} matched={props.matched} />
      </span>
    </>
  );
}

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
