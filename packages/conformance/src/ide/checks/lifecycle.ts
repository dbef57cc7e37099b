import { expect } from "../../check.js";
import type { IdeCheck } from "./ide-check.js";
import { closing, withProposal } from "./proposal.js";

export const lifecycle: readonly IdeCheck[] = [
  {
    clause: "C50",
    title: "Several agents may be connected at once",
    async check(ide) {
      const first = await ide.connect();
      const second = await ide.connect();
      await second.toolNames();
      expect(first.isOpen, "the first agent was dropped when the second came");
      await first.toolNames();
    },
  },
  {
    clause: "C51",
    title: "An agent that drops while its proposal is open disturbs nobody",
    async check(ide) {
      await withProposal(ide, async ({ agent, tabName }) => {
        const other = await ide.connect();
        await agent.close();
        await other.toolNames();
        const next = await ide.connect();
        await next.toolNames();
        // Some editors leave the tab of an agent that has gone.
        await next.request("tools/call", closing(tabName));
      });
    },
  },
];
