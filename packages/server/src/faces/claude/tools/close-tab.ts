import { closeTab, TAB_CLOSED, textResult } from "@lockstep/protocol";
import { ToolFailure } from "../../../errors.js";
import { wirePath } from "../push.js";
import { defineTool } from "../tool.js";

/** A proposal of this agent by its name, else an ordinary tab by its label or path. */
export const closeTabTool = defineTool({
  contract: closeTab,
  available: ({ review, close }) => review !== undefined || close !== undefined,
  async call({ tab_name: name }, { session, incoming }) {
    if (await session.desk.withdraw(name, "answered-elsewhere")) return textResult(TAB_CLOSED);
    if (!session.abilities.tabs || !session.abilities.close) return textResult(TAB_CLOSED);
    const tabs = await session.ask("tabs", undefined, incoming);
    const tab = tabs.find(({ label, uri }) => label === name || wirePath(uri) === name);
    if (tab && (await session.ask("close", { uri: tab.uri }, incoming)) === "kept") {
      throw new ToolFailure(`${name} has unsaved changes and stays open.`);
    }
    return textResult(TAB_CLOSED);
  },
});
