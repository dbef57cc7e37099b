import { executeCode, type ToolResult } from "@lockstep/protocol";
import { ToolFailure } from "../../../errors.js";
import { defineTool } from "../tool.js";

/** The person sees this much of the code before it runs. */
const MOST_SHOWN = 2_000;

/** Runs as the person, so the person is asked first, once for each agent and workspace. */
export const executeCodeTool = defineTool({
  contract: executeCode,
  available: ({ execute }) => execute !== undefined,
  unavailable: "No notebook is open in the editor: open an .ipynb file first.",
  async call({ code }, { session, incoming }) {
    const { name } = session.agent;
    const question = {
      title: `Let ${name} run code in your notebooks?`,
      detail: `Code runs in the notebook's kernel with all your rights. First it would run:\n\n${shown(code)}`,
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

function shown(code: string): string {
  const text = code.trim().replaceAll("\t", "    ");
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
}
