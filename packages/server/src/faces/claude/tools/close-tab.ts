import { closeTab, TAB_CLOSED, textResult } from "@lockstep/protocol";
import { ToolFailure } from "../../../errors.js";
import { defineTool, type ToolContext } from "../tool.js";
import { wirePath } from "../wire.js";

/** A proposal of this agent by its name, else an ordinary tab by its label or path. */
export const closeTabTool = defineTool({
  contract: closeTab,
  available: ({ review, close }) => review !== undefined || close !== undefined,
  async call({ tab_name: name }, context) {
    const { session, dialect } = context;
    const found =
      (await session.desk.withdraw(name, "answered-elsewhere")) ||
      (await closeTabOf(name, context));
    if (dialect === "vscode") return textResult(TAB_CLOSED);
    if (!found) throw new ToolFailure("Tab not found");
    return textResult("OK");
  },
});

/** False if there is no such tab; fails if the person would lose unsaved work. */
async function closeTabOf(name: string, { session, incoming }: ToolContext): Promise<boolean> {
  if (!session.abilities.tabs || !session.abilities.close) return false;
  const tabs = await session.ask("tabs", undefined, incoming);
  const tab = tabs.find(({ label, uri }) => label === name || wirePath(uri) === name);
  if (!tab) return false;
  const closed = await session.ask("close", { uri: tab.uri }, incoming);
  if (closed === "kept") throw new ToolFailure(`${name} has unsaved changes and stays open.`);
  return closed === "closed";
}
