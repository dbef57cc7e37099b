import type { TurnFileInfo } from "@lockstep/workbench/contract";
import type { Command } from "../commands.js";
import { showProblem } from "../design/index.js";
import { call } from "../replica/link.js";
import { replica } from "../replica/state.js";
import { view } from "../replica/view.js";
import { showTurnFile } from "../turns/shown-turn.js";
import { decideTurn, takeBack } from "../turns/turn-acts.js";
import { runningOf } from "../turns/turn-words.js";

const running = () => runningOf(replica()?.turns ?? {});
const hasFiles = () => (running()?.files ?? 0) > 0;

/** The first file that nobody has looked at, or the one after the one that is shown. */
async function showNextFile(): Promise<void> {
  const turn = running()?.id;
  if (turn === undefined) return;
  const files: readonly TurnFileInfo[] = await call("turn.files", { turn });
  const now = view();
  const at = now.kind === "turn" ? files.findIndex(({ id }) => id === now.file) : -1;
  const rest = [...files.slice(at + 1), ...files.slice(0, at + 1)];
  const next = rest.find(({ seen }) => !seen) ?? rest[0];
  if (next) showTurnFile(turn, next);
}

export const turnCommands: readonly Command[] = [
  {
    id: "turn.nextFile",
    title: "Turn: Show Next Changed File",
    keys: ["Alt+KeyT"],
    when: hasFiles,
    run: () => showNextFile().catch(showProblem),
  },
  {
    id: "turn.keepAll",
    title: "Turn: Keep All Changes Since the Last Prompt",
    when: hasFiles,
    run: () => decideTurn({ turn: running()?.id ?? "", decision: "kept" }),
  },
  {
    id: "turn.undoAll",
    title: "Turn: Undo All Changes Since the Last Prompt",
    when: hasFiles,
    run: () => decideTurn({ turn: running()?.id ?? "", decision: "undone" }),
  },
  {
    id: "turn.takeBack",
    title: "Turn: Take Back the Last Decision in This Turn",
    when: () => running()?.undo != null,
    run: () => takeBack(running()?.id ?? ""),
  },
];
