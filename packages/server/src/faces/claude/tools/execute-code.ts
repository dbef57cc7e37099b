import { executeCode, type ToolResult } from "@lockstep/protocol";
import { ToolFailure } from "../../../errors.js";
import { defineTool } from "../tool.js";

/** Runs as the person, so the person is asked first, once for each agent and workspace. */
export const executeCodeTool = defineTool({
  contract: executeCode,
  available: ({ execute }) => execute !== undefined,
  unavailable: "No notebook is open in the editor: open an .ipynb file first.",
  async call({ code }, { session, incoming }) {
    const { name } = session.agent;
    const question = {
      title: `Let ${name} run code in your notebooks?`,
      detail: "The code runs in the notebook's kernel with all your rights.",
      lasting: "run-code",
    } as const;
    if (!(await session.lastingConsent(question))) {
      throw new ToolFailure("The user has not allowed code to be run in this workspace.");
    }
    const outputs = await session.ask("execute", { code }, incoming);
    const content = outputs.map((output): ToolResult["content"][number] =>
      output.kind === "text"
        ? { type: "text", text: output.text }
        : { type: "image", data: output.base64, mimeType: output.mimeType },
    );
    return { content };
  },
});
