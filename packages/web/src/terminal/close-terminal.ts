import type { TerminalInfo } from "@lockstep/workbench/contract";
import { ask, showProblem } from "../design/index.js";
import { call } from "../replica/link.js";
import { state } from "../replica/state.js";
import { allTerminals, focusTerminal } from "./chosen.js";

/** Closes a terminal; where an agent runs in it, after a question. */
export async function closeTerminal({ id, agent, exitCode }: TerminalInfo): Promise<void> {
  const name = agent === null ? undefined : state().agents[agent]?.name;
  if (name !== undefined && exitCode === null) {
    const answer = await ask({
      title: "Close this terminal?",
      text: `${name} is running in it and will be ended.`,
      choices: [{ answer: "close", label: "Close terminal", kind: "danger" }],
    });
    if (answer === null) return;
  }
  await call("terminal.close", { id }).catch(showProblem);
  if (allTerminals().length > 0) focusTerminal();
}
