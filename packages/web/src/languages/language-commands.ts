import type { EditorView } from "@codemirror/view";
import { addCommands, type Command, isMac } from "../commands.js";
import { documentOf } from "../editor/document-of.js";
import { shownView } from "../editor/shown.js";
import { shownPanel, showPanel } from "../shell/panel-state.js";
import { focusElement, focusRegion } from "../shell/regions.js";
import { hasServers, showServers } from "./language-status.js";
import { canGo, go } from "./navigation.js";

/** A document is shown, and the person is in its text, or was when the palette opened. */
function isAsking(): boolean {
  const view = shownView();
  const at = document.activeElement;
  return view?.state.facet(documentOf) != null && Boolean(at?.closest(".cm-content, dialog"));
}

/** A document is shown, wherever the person is but in a terminal. */
const isShown = (): boolean => shownView()?.state.facet(documentOf) != null;

const isInTerminal = (): boolean => document.activeElement?.closest(".xterm") != null;

type Act = (view: EditorView) => unknown;

/** What each does is fetched when it is first done. */
const command = (
  id: string,
  title: string,
  keys: readonly string[],
  load: () => Promise<Act>,
  when: () => boolean = isAsking,
): Command => ({
  id: `language.${id}`,
  title,
  keys,
  when,
  run: async () => {
    const act = await load();
    const view = shownView();
    if (view) await act(view);
  },
});

const definition = (what: "definition" | "typeDefinition" | "implementation") => async () => {
  const { goToDefinition } = await import("./definition.js");
  return (view: EditorView) => goToDefinition(view, what);
};
const format = (what: "document" | "selection") => async () => {
  const module = await import("./format.js");
  return (view: EditorView) => module.format(view, what);
};
const problem = (step: 1 | -1) => async () => {
  const { goToProblem } = await import("./next-problem.js");
  return (view: EditorView) => goToProblem(view, step);
};
const hasSelection = (): boolean => isAsking() && shownView()?.state.selection.main.empty === false;

/** Into the list; from within it, back and away. */
function toggleProblems(): void {
  const isInside = document.activeElement?.closest('[data-region="panel"]') != null;
  if (shownPanel() === "problems" && isInside) {
    showPanel(null);
    focusRegion("middle");
    return;
  }
  showPanel("problems");
  focusElement(".problems [data-region-focus]");
}

addCommands([
  {
    id: "view.problems",
    title: "View: Problems",
    keys: ["Mod+Shift+KeyM"],
    run: toggleProblems,
  },
  command("nextProblem", "Go: Next Problem", ["F8"], problem(1), isShown),
  command("previousProblem", "Go: Previous Problem", ["Shift+F8"], problem(-1), isShown),
  command("quickFix", "Edit: Quick Fix…", ["Mod+Period"], async () => {
    return (await import("./actions.js")).showActions;
  }),
  command("complete", "Edit: Complete", [isMac ? "Ctrl+Space" : "Mod+Space"], async () => {
    const { startCompletion } = await import("@codemirror/autocomplete");
    return (view) => {
      // Tab takes a completion now, also right after Escape, where it would leave the text.
      view.setTabFocusMode(false);
      startCompletion(view);
    };
  }),
  command("signature", "Edit: Show Parameters", ["Mod+Shift+Space"], async () => {
    return (await import("./signature.js")).showSignature;
  }),
  command("hover", "Go: Show What Is Known Here", ["Alt+KeyI"], async () => {
    return (await import("./hover.js")).showHover;
  }),
  command("definition", "Go: Go to Definition", ["F12"], definition("definition")),
  command("implementation", "Go: Go to Implementation", ["Mod+F12"], definition("implementation")),
  command("typeDefinition", "Go: Go to Type Definition", [], definition("typeDefinition")),
  command("references", "Go: Find References", ["Shift+F12"], async () => {
    return (await import("./definition.js")).findReferences;
  }),
  command("rename", "Edit: Rename Symbol", ["F2"], async () => {
    return (await import("./rename.js")).startRename;
  }),
  command(
    "symbols",
    "Go: Symbol in File…",
    ["Mod+Shift+KeyO"],
    async () => {
      const { showSymbols } = await import("./symbols.js");
      return (view) => showSymbols(view);
    },
    isShown,
  ),
  command("format", "Edit: Format Document", ["Alt+Shift+KeyF"], format("document")),
  command("formatSelection", "Edit: Format Selection", [], format("selection"), hasSelection),
  {
    id: "language.back",
    title: "Go: Back",
    keys: [isMac ? "Ctrl+Minus" : "Alt+ArrowLeft"],
    when: () => !isInTerminal() && canGo(-1),
    run: () => go(-1),
  },
  {
    id: "language.forward",
    title: "Go: Forward",
    keys: [isMac ? "Ctrl+Shift+Minus" : "Alt+ArrowRight"],
    when: () => !isInTerminal() && canGo(1),
    run: () => go(1),
  },
  {
    id: "language.servers",
    title: "View: Language Servers",
    when: hasServers,
    run: showServers,
  },
]);
