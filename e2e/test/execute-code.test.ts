import { fileUri } from "@lockstep/protocol";
import { describe, expect, it, onTestFinished } from "vitest";
import { PageClient } from "../../packages/workbench/test/page-client.js";
import { agentIn } from "../src/agent-in.js";
import type { Claude } from "../src/claude.js";
import { LockstepCommand } from "../src/lockstep-command.js";
import { text, toolUse } from "../src/model-reply.js";
import type { ModelRequest } from "../src/model-request.js";
import { titled, whyNoClaude, whyNoJupyter } from "../src/needs.js";
import { DONE, noQuestion } from "../src/propose.js";
import { Workspace } from "../src/workspace.js";

const reason = whyNoClaude() ?? whyNoJupyter();
const TOOL = "mcp__ide__executeCode";
const NOTEBOOK = JSON.stringify({ cells: [], metadata: {}, nbformat: 4, nbformat_minor: 5 });
const PLOT = `import matplotlib.pyplot as plt
plt.plot([1, answer])
plt.show()`;

describe.skipIf(reason)(titled("executeCode of the real CLI", reason), () => {
  it("runs in the notebook's kernel once the person allows it, and its plot reaches the model", async () => {
    const workspace = await Workspace.create();
    onTestFinished(() => workspace.remove());
    const path = await workspace.write("plot.ipynb", NOTEBOOK);
    const lockstep = await LockstepCommand.edit(workspace);
    onTestFinished(() => lockstep.kill());
    const page = await PageClient.open(lockstep.announcement.url ?? "");
    onTestFinished(() => page.close());
    const uri = fileUri(path);
    await page.call("tab.open", { uri, preview: false });
    await page.call("window.show", { view: { kind: "document", uri }, focused: true });
    const { claude, api } = await agentIn(workspace, { args: ["--ide"] });
    await claude.attached("plot.ipynb");

    api.script(
      toolUse(TOOL, { code: "answer = 6 * 7\nprint('the answer is', answer)" }),
      toolUse(TOOL, { code: PLOT }),
      text(DONE),
    );
    await claude.submit("plot it");
    // The CLI asks in its own way; what counts is the editor's question.
    await allowInTerminal(claude);
    const { questions } = await page.until((now) => Object.keys(now.questions).length > 0);
    const [question] = Object.values(questions);
    expect(question?.title).toMatch(/^Let .+ run code in your notebooks\?$/);
    expect(api.requests.entries.filter(({ isTurn }) => isTurn)).toHaveLength(1);
    await page.call("question.answer", { id: question?.id ?? "", yes: true });

    await api.nextRequest("the answer is 42");
    await allowInTerminal(claude);
    await claude.terminal.waitFor(DONE);
    const last = api.requests.entries.filter(({ isTurn }) => isTurn).at(-1);
    expect(imagesOf(last).map(({ media_type }) => media_type)).toEqual(["image/png"]);
    expect(
      Buffer.from(imagesOf(last)[0]?.data ?? "", "base64")
        .subarray(1, 4)
        .toString(),
    ).toBe("PNG");
    expect(Object.values(page.state.questions)).toEqual([]);
    expect(Object.values(page.state.permissions)).toMatchObject([
      { title: expect.stringMatching(/may run code in notebooks$/) },
    ]);
  });
});

/** The CLI's own question, before each call of a tool that it does not know. */
async function allowInTerminal({ terminal }: Claude): Promise<void> {
  await terminal.waitFor("Do you want to");
  await terminal.pressUntil("Enter", noQuestion);
}

interface Image {
  readonly media_type: string;
  readonly data: string;
}

/** The images in what the model was shown. */
function imagesOf(request: ModelRequest | undefined): readonly Image[] {
  const found: Image[] = [];
  JSON.stringify(request?.body.messages ?? [], (_, value) => {
    if (value?.type === "image" && value.source) found.push(value.source);
    return value;
  });
  return found;
}
