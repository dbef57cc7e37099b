import type { EditorView } from "@codemirror/view";
import type { DocumentSymbol } from "@lockstep/workbench/contract";
import { createSignal, lazy, Show, Suspense } from "solid-js";
import { showProblem } from "../design/index.js";
import { call } from "../replica/link.js";
import { question } from "./question.js";

interface Shown {
  readonly view: EditorView;
  readonly symbols: readonly DocumentSymbol[];
  readonly query: string;
}
const [shown, setShown] = createSignal<Shown | null>(null);

const SymbolChooser = lazy(async () => ({
  default: (await import("./symbol-chooser.js")).SymbolChooser,
}));

/** Lists the names in the shown text. */
export async function showSymbols(view: EditorView, query = ""): Promise<void> {
  try {
    const symbols = await question(view, (uri) => call("language.symbols", { uri }), "text");
    if (symbols) setShown({ view, symbols, query });
  } catch (problem) {
    showProblem(problem);
  }
}

/** Mounted once. */
export function SymbolLayer() {
  return (
    <Show when={shown()} keyed>
      {(asked) => (
        <Suspense>
          <SymbolChooser {...asked} onClose={() => setShown(null)} />
        </Suspense>
      )}
    </Show>
  );
}
