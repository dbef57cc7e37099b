import type { DocumentInfo } from "@lockstep/workbench/contract";
import { createSignal, Show } from "solid-js";
import { runCommand } from "../commands.js";
import { Menu, showProblem } from "../design/index.js";
import { call } from "../replica/link.js";
import { state } from "../replica/state.js";
import { languageName } from "./language-name.js";
import { type ShownPlace, shownPlace } from "./shown.js";

const LINE_ENDS: Readonly<Record<DocumentInfo["lineEnds"], string>> = {
  lf: "LF",
  crlf: "CRLF",
  cr: "CR",
  mixed: "Mixed line ends",
};

/** What the status bar says about the shown document: place, indentation, encoding, line ends, language. */
export function EditorStatus() {
  const info = () => {
    const uri = shownPlace()?.uri;
    return uri && state().documents[uri];
  };
  return (
    <Show when={shownPlace()}>
      {(place) => (
        <Show when={info()}>
          {(known) => (
            <>
              <button
                type="button"
                class="shell-status-item"
                data-tip="Go to line"
                onClick={() => runCommand("editor.goToLine")}
              >
                {placeText(place())}{" "}
                <span class="editor-status-selected">{selectedText(place())}</span>
              </button>
              <span class="shell-status-item editor-status-minor">{indentationText(place())}</span>
              <span class="shell-status-item editor-status-minor">
                {known().encoding.toUpperCase()}
              </span>
              <LineEnds info={known()} />
              <span class="shell-status-item editor-status-minor">
                {languageName(known().languageId)}
              </span>
            </>
          )}
        </Show>
      )}
    </Show>
  );
}

const number = (value: number) => value.toLocaleString("en");

const placeText = ({ line, column, cursors }: ShownPlace): string =>
  cursors > 1 ? `${number(cursors)} cursors` : `${line}:${column}`;

function selectedText({ characters, lines, cursors }: ShownPlace): string {
  if (characters === 0) return "";
  const across = cursors === 1 && lines > 1 ? `${number(lines)} lines, ` : "";
  return `(${across}${number(characters)} selected)`;
}

function indentationText({ indentation }: ShownPlace): string {
  if (!indentation) return "";
  return `${indentation.insertSpaces ? "Spaces" : "Tabs"}: ${indentation.size}`;
}

function LineEnds(props: { readonly info: DocumentInfo }) {
  const [menu, setMenu] = createSignal<{ x: number; y: number } | null>(null);
  const change = (lineEnds: "lf" | "crlf") =>
    call("document.setLineEnds", { uri: props.info.uri, lineEnds }).catch(showProblem);
  const mark = (lineEnds: "lf" | "crlf") =>
    props.info.lineEnds === lineEnds ? { icon: "check" as const } : {};
  return (
    <>
      <button
        type="button"
        class="shell-status-item"
        aria-haspopup="menu"
        aria-expanded={menu() !== null}
        data-tip="Change line ends"
        disabled={props.info.readOnly !== null}
        onClick={({ currentTarget }) => {
          const { left, top } = currentTarget.getBoundingClientRect();
          setMenu({ x: left, y: top - 76 });
        }}
      >
        {LINE_ENDS[props.info.lineEnds]}
      </button>
      <Show when={menu()}>
        {(at) => (
          <Menu
            label="Line ends"
            at={at()}
            items={[
              { label: "LF (Unix)", ...mark("lf"), run: () => void change("lf") },
              { label: "CRLF (Windows)", ...mark("crlf"), run: () => void change("crlf") },
            ]}
            onClose={() => setMenu(null)}
          />
        )}
      </Show>
    </>
  );
}
