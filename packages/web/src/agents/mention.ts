import { baseName, filePath } from "@lockstep/protocol";
import { addCommands } from "../commands.js";
import { showProblem, showToast } from "../design/index.js";
import { currentSelection } from "../editor/current-selection.js";
import { call } from "../replica/link.js";
import { view } from "../replica/view.js";
import { lines } from "./sight-words.js";

/** The chord is by key code, so that Option on a Mac does not turn it into another letter. */
export const MENTION = "Alt+KeyK";

/** Points the agents to what is selected, or to the file where nothing is. */
export async function mentionSelection(): Promise<void> {
  const selection = currentSelection();
  if (!selection) return void showToast({ text: "Open a file to mention it to an agent." });
  const { uri, first, last, empty } = selection;
  await mention(uri, empty ? undefined : { first, last });
}

async function mentionFile(): Promise<void> {
  const shown = view();
  if (shown.kind === "document") await mention(shown.uri);
}

async function mention(
  uri: Parameters<typeof filePath>[0],
  range?: { readonly first: number; readonly last: number },
): Promise<void> {
  try {
    const { agents } = await call("mention", { uri, ...(range ? { lines: range } : {}) });
    const name = baseName(filePath(uri) ?? uri);
    const what = range ? `${name}, ${lines(range.first, range.last)}` : name;
    const text =
      agents === 0
        ? `${what} will be mentioned to the next agent that connects.`
        : `Mentioned ${what}.`;
    showToast({ text });
  } catch (problem) {
    showProblem(problem);
  }
}

addCommands([
  {
    id: "agents.mentionSelection",
    title: "Agents: Mention Selection",
    keys: [MENTION],
    run: mentionSelection,
  },
  {
    id: "agents.mentionFile",
    title: "Agents: Mention File",
    when: () => view().kind === "document",
    run: mentionFile,
  },
]);
