import { closeAllDiffTabs, textResult } from "@lockstep/protocol";
import { defineTool } from "../tool.js";

/** Withdraws the proposals of this agent, never another's. The CLI calls it with each prompt. */
export const closeAllDiffTabsTool = defineTool({
  contract: closeAllDiffTabs,
  available: ({ review }) => review !== undefined,
  async call(_input, { session }) {
    session.tell("turn");
    const count = await session.desk.withdrawAll("answered-elsewhere");
    return textResult(`CLOSED_${count}_DIFF_TABS`);
  },
});
