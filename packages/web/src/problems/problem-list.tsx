import { createSignal, Show } from "solid-js";
import { keysLabel } from "../commands.js";
import { IconButton, Menu, showProblem, showToast } from "../design/index.js";
import { ListByFile, type Point } from "../files/list-by-file.js";
import { showFixes } from "../languages/actions.js";
import { state } from "../replica/state.js";
import { openFile } from "../replica/view.js";
import { focusRegion } from "../shell/regions.js";
import { type ProblemRow, problemText, sourceOf } from "./problem-rows.js";
import { SeverityIcon } from "./severity.js";

const FIX_KEYS = keysLabel("Mod+Period");

interface ListProps {
  readonly rows: readonly ProblemRow[];
  readonly onFold: (uri: string) => void;
}

/** The problems by file, each with its fixes. */
export function ProblemList(props: ListProps) {
  const [current, setCurrent] = createSignal(-1);
  const [menu, setMenu] = createSignal<(Point & { row: ProblemRow }) | null>(null);
  const openMenu = (row: ProblemRow, at: Point) => setMenu({ ...at, row });
  return (
    <>
      <ListByFile
        label="Problems"
        words={["problem", "problems"]}
        rows={props.rows}
        current={current()}
        onCurrent={setCurrent}
        onFold={({ uri }) => props.onFold(uri)}
        onOpen={(row, preview) => void open(row, preview).catch(showProblem)}
        onMenu={openMenu}
        keys={{
          "Mod+KeyC": copy,
          "Mod+Period": (row, at) => row.kind === "problem" && fix(row, at),
          ContextMenu: openMenu,
          "Shift+F10": openMenu,
          Escape: () => focusRegion("middle"),
        }}
      >
        {(row) => <Row row={row()} />}
      </ListByFile>
      <Show when={menu()} keyed>
        {({ row, x, y }) => (
          <Menu
            label="Actions"
            at={{ x, y }}
            items={[
              ...(row.kind === "problem"
                ? [{ label: "Quick fix…", keys: FIX_KEYS, run: () => fix(row, { x, y }) }]
                : []),
              {
                label: row.kind === "problem" ? "Copy message" : "Copy messages",
                icon: "copy" as const,
                run: () => copy(row),
              },
            ]}
            onClose={() => setMenu(null)}
          />
        )}
      </Show>
    </>
  );
}

function Row(props: { readonly row: ProblemRow }) {
  const problem = () => (props.row.kind === "problem" ? props.row : null);
  const more = () => (props.row.kind === "more" ? props.row : null);
  return (
    <>
      <Show when={problem()}>
        {(row) => (
          <>
            <SeverityIcon severity={row().problem.severity} />
            <span class="problems-message" title={row().message}>
              {row().message}
            </span>
            <span class="problems-source">{sourceOf(row().problem)}</span>
            <span class="by-file-line">
              {row().problem.range.start.line + 1}:{row().problem.range.start.character + 1}
            </span>
            {/* For the pointer; the keys do the same. */}
            <span class="by-file-tools" aria-hidden="true">
              <IconButton
                icon="bulb"
                label="Quick fix"
                keys={FIX_KEYS}
                size="s"
                tabIndex="-1"
                onClick={({ currentTarget }) => {
                  const { left, bottom } = currentTarget.getBoundingClientRect();
                  fix(row(), { x: left, y: bottom });
                }}
              />
              <IconButton
                icon="copy"
                label="Copy message"
                keys={keysLabel("Mod+KeyC")}
                size="s"
                tabIndex="-1"
                onClick={() => copy(row())}
              />
            </span>
          </>
        )}
      </Show>
      <Show when={more()}>
        {(row) => (
          <span class="problems-message">
            and {row().count.toLocaleString("en")} more in this file
          </span>
        )}
      </Show>
    </>
  );
}

function fix(row: Extract<ProblemRow, { kind: "problem" }>, at: Point): void {
  const { uri } = row.file;
  const { range } = row.problem;
  // Servers offer fixes for open documents only.
  const opening = state().documents[uri] ? Promise.resolve() : openFile(uri, { range });
  opening.then(() => showFixes({ uri, range, only: "quickfix" }, at)).catch(showProblem);
}

function copy({ file, ...row }: ProblemRow): void {
  const texts =
    row.kind === "problem"
      ? [problemText(file, row.problem)]
      : file.items.map((item) => problemText(file, item));
  void navigator.clipboard.writeText(texts.join("\n")).then(
    () => showToast({ text: texts.length === 1 ? "Copied the message" : "Copied the messages" }),
    () => showToast({ text: "The browser did not let it be copied.", tone: "warn" }),
  );
}

async function open(row: Exclude<ProblemRow, { kind: "file" }>, preview: boolean): Promise<void> {
  const range = row.kind === "problem" ? { range: row.problem.range } : {};
  await openFile(row.file.uri, { preview, ...range });
  focusRegion("middle");
}
