import { executeCode, type ToolResult } from "@lockstep/protocol";
import { ToolFailure } from "../../../errors.js";
import { defineTool } from "../tool.js";

/** Runs as the person, so the person is asked first, once for each agent. */
export const executeCodeTool = defineTool({
  contract: executeCode,
  available: ({ execute }) => execute !== undefined,
  async call({ code }, { session, incoming }) {
    const { name } = session.agent;
    const question = {
      title: `Let ${name} run code in your notebooks?`,
      detail: "It runs in the notebook's kernel with all your rights, until this agent leaves.",
    };
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
